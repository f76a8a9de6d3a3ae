/** `codescore serve --stdio`: a session over the process's pipes, for a program that starts codescore as its child. */
import { basename } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/types.ts";
import type { CodeScorer, ScorerOptions } from "../../score/index.ts";
import type { Method } from "../../server/index.ts";
import { packageVersion } from "../../util/files.ts";
import { openRun, type RunFlags, type Runs } from "../score/run.ts";
import { evaluateMethod } from "./evaluate-method.ts";
import { labelMethod } from "./label-method.ts";

/** Interval for checking that the parent process is alive, in ms. A pipe stays open if a fork of the parent holds it, so its end is no proof. */
const LOOK_MS = 1000;

/** Ends when stdin ends, or when the parent process ends. */
export async function serveStdio(model: string | undefined, options: ScorerOptions, running: RunFlags): Promise<void> {
  const { CodeScorer } = await import("../../score/index.ts");
  // Avoids loading the HTTP server, whose packages take longer to load than the model.
  const { PROTOCOL } = await import("../../server/frames.ts");
  const { serveFrames } = await import("../../server/frame-session.ts");
  const { scoreMethod } = await import("../../server/score-method.ts");
  const orphaned = new AbortController();
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid !== parent) orphaned.abort();
  }, LOOK_MS);
  const runs = await openRun(running);
  try {
    const scorer = await CodeScorer.load(model, options);
    try {
      const executor = runs.options.run?.executor ?? null;
      const hello: Method = async () => ({
        name: "codescore",
        version: await packageVersion(),
        protocol: PROTOCOL,
        ...factsOf(scorer),
        runs: executor && { sandbox: executor.sandbox, python: executor.python },
      });
      const methods = {
        hello,
        score: scoreMethod(scorer, running.run ? runs : null),
        label: labelMethod(() => executorOf(runs, running)),
        evaluate: evaluateMethod(scorer),
      };
      await serveFrames({ input: process.stdin, output: process.stdout, methods, signal: orphaned.signal });
    } finally {
      await scorer.close();
    }
  } finally {
    clearInterval(look);
    await runs.close();
  }
}

const factsOf = ({ folder, device, signature }: CodeScorer) => ({ model: basename(folder), device, signature });

function executorOf({ options, reason }: Runs, { run }: RunFlags): Executor {
  if (options.run !== undefined) return options.run.executor;
  if (run) throw new CodescoreError("environment", `cannot run candidates: ${reason}`);
  throw new CodescoreError("usage", "this session cannot run candidates: start `codescore serve --stdio --run`");
}
