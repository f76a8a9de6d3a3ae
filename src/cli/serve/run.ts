/** `codescore serve --run`: its options, and the sandboxes that they describe. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { SandboxKind } from "../../execute/types.ts";
import type { Runner } from "../../server/index.ts";
import { allowUnsafeOption, integer, pythonOption, sandboxOption } from "../options/values.ts";
import { defined } from "../rtc/options.ts";
import { RUN_INPUTS } from "../score/run.ts";

export interface ServeRunFlags {
  readonly run?: true;
  readonly inputs?: number;
  readonly runQueueLimit?: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly python?: string;
  readonly workers?: number;
}

export const addServeRunOptions = (command: Command): Command =>
  command
    .option("--run", "also run candidates in a sandbox, for requests that ask for it (see below)")
    .option(
      "--inputs <n>",
      `with --run: maximum inputs per task that a request may ask for (default: ${RUN_INPUTS})`,
      integer(1),
    )
    .option(
      "--run-queue-limit <n>",
      "with --run: maximum candidates in the queue; further requests get 429 (default: 500)",
      integer(1),
    )
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addOption(pythonOption())
    .option("--workers <n>", "with --run: programs to run at the same time (default: the number of cores)", integer(1));

export const serveRunHelp = `Without --run the server executes nothing that a client sends. With --run, a request {"rows": [...], "run": true} runs its
candidates on generated inputs. The fields "inputs", "seed" and "until" of a request are those of \`codescore score\`. Runs have their
own queue and do not delay scoring. The server does not start without a working sandbox.`;

const runOnly = ["inputs", "runQueueLimit", "allowUnsafe", "python", "workers"] as const;

/** Throws `CodescoreError("usage")` for flags about running without `--run`. */
export function checkServeRun(flags: ServeRunFlags): void {
  const alone = flags.run ? undefined : runOnly.find((name) => flags[name] !== undefined);
  if (alone === undefined) return;
  const flag = alone.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
  throw new CodescoreError("usage", `--${flag} needs --run`);
}

/** Null without `--run`. Throws like `checkServeRun` and `openRunner`. */
export async function openServeRunner(flags: ServeRunFlags): Promise<Runner | null> {
  checkServeRun(flags);
  const { run, sandbox, allowUnsafe, python, workers } = flags;
  if (!run) return null;
  const { openRunner } = await import("../../server/index.ts");
  return openRunner({ sandbox, ...defined({ allowUnsafe, python, workers }) });
}
