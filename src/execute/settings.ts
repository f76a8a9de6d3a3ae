/** What of an executor its verdicts hang on. */
import type { Executor, LandlockLevel } from "./types.ts";

export type ExecutorSettings = Pick<Executor, "sandbox" | "python" | "seccomp" | "limits"> & {
  readonly landlock?: LandlockLevel;
};

/** For manifests, and for the keys of what is kept. */
export const settingsOf = ({ sandbox, python, seccomp, landlock, limits }: Executor): ExecutorSettings => ({
  sandbox,
  python,
  seccomp,
  ...(landlock ? { landlock } : {}),
  limits,
});
