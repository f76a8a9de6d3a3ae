/** Finds a sandbox that works on this machine. Runs only short probes. */
import { CodescoreError } from "../../errors.ts";
import type { ExecutorOptions } from "../types.ts";
import type { Backend, Sandbox } from "./backend.ts";
import { bwrap } from "./bwrap.ts";
import { landlock } from "./landlock.ts";
import { none } from "./none.ts";
import { pythonOf } from "./python.ts";
import { sandboxExec } from "./sandbox-exec.ts";
import { wasm } from "./wasm.ts";

/** The backends that `auto` tries, in this order. */
const AUTO: readonly Backend[] = [bwrap, landlock, wasm];
const BACKENDS: readonly Backend[] = [...AUTO, sandboxExec, none];

/** The first of the requested sandboxes that works here. Throws CodescoreError("usage" or "environment"). */
export async function findSandbox({
  sandbox = "auto",
  allowUnsafe = false,
  hashSeed = 0,
  python: name,
}: ExecutorOptions): Promise<Sandbox> {
  const isAuto = sandbox === "auto";
  const asked = isAuto ? AUTO : BACKENDS.filter(({ kind }) => kind === sandbox);
  if (asked.length === 0) {
    const kinds = ["auto", ...BACKENDS.map(({ kind }) => kind)].join(", ");
    throw new CodescoreError("usage", `expected sandbox to be one of ${kinds}, got \`${String(sandbox)}\``);
  }
  // First, because which sandboxes look for a Python depends on the machine. A wrong path is an error on all of them.
  const python = name === undefined ? undefined : await pythonOf(name);
  if (sandbox === "wasm" && python !== undefined) {
    const why = "sandbox `wasm` has its own Python, which cannot import packages of this machine";
    throw new CodescoreError("usage", `${why}: leave out --python (python), or use --sandbox bwrap or landlock`);
  }
  const missing: string[] = [];
  for (const backend of asked) {
    const found = await backend.open({
      allowUnsafe: allowUnsafe && !isAuto,
      hashSeed,
      ...(python === undefined ? {} : { python }),
    });
    if (typeof found !== "string") return found;
    missing.push(`${backend.kind}: ${found}`);
  }
  throw new CodescoreError(
    "environment",
    isAuto
      ? `no sandbox for untrusted programs works here. ${missing.join(". ")}`
      : `the sandbox that was asked for does not work here. ${missing.join(". ")}. Use --sandbox auto (in a library: sandbox "auto"), which takes one that works`,
  );
}
