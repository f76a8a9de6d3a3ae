/** The settings of an executor on which its verdicts depend. */
import type { Executor, LandlockLevel } from "./types.ts";

export type ExecutorSettings = Pick<Executor, "sandbox" | "python" | "packages" | "seccomp" | "limits"> & {
  readonly landlock?: LandlockLevel;
};

/** For manifests and for the keys of caches. */
export const settingsOf = ({ sandbox, python, packages, seccomp, landlock, limits }: Executor): ExecutorSettings => ({
  sandbox,
  python,
  ...(packages && { packages }),
  seccomp,
  ...(landlock ? { landlock } : {}),
  limits,
});
