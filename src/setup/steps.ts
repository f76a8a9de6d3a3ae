/**
 * Runs the steps of a setup in order, each a command of another program: a step done before is skipped, one that was
 * stopped runs again, output goes to a log. It shows which step runs and for how long. It knows nothing of what is set up.
 */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { duration } from "../util/progress.ts";

export interface Step {
  /** For people, and for the record of what is done. */
  readonly title: string;
  /** What the result depends on beside the command: a step is done when it and all before it ended well with the same. */
  readonly key?: string;
  /** Writes what the command reads. */
  readonly prepare?: () => Promise<void>;
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of output that say nothing of what failed. */
  readonly noise?: RegExp;
  /** How to mend a failure, told from the end of the command's output. */
  readonly hint?: (output: string) => string | undefined;
}

/** The file in the setup's folder that says which steps are done. */
export const DONE = "done.json";

const keyOf = ({ key, argv, env }: Step): string => JSON.stringify([key, argv, env]);

/** For each step, whether it need not run again. */
export async function stepsDone(folder: string, steps: readonly Step[]): Promise<boolean[]> {
  const path = join(folder, DONE);
  const keys = (await exists(path)) ? ((await readJson(path)) as Record<string, string>) : {};
  let fresh = true;
  return steps.map((step) => {
    fresh &&= keys[step.title] === keyOf(step);
    return fresh;
  });
}

/**
 * Runs what is not done yet. Throws `CodescoreError("environment")` with the last lines of the output of the step that
 * failed, its hint and the log's place.
 */
export async function runSteps(folder: string, steps: readonly Step[]): Promise<void> {
  const done = await stepsDone(folder, steps);
  await mkdir(folder, { recursive: true });
  const log = join(folder, "setup.log");
  for (const [i, step] of steps.entries()) {
    const line = startLine(`[${i + 1}/${steps.length}] ${step.title}`);
    if (done[i]) {
      line.end("done before");
      continue;
    }
    try {
      await step.prepare?.();
      await run(step, log, line.note);
    } catch (error) {
      line.end("failed");
      throw error;
    }
    const finished = steps.slice(0, i + 1).map((step) => [step.title, keyOf(step)]);
    await writeAtomic(join(folder, DONE), `${JSON.stringify(Object.fromEntries(finished), null, 2)}\n`);
    line.end(`done in ${line.elapsed()}`);
  }
}

function run(
  { title, argv, cwd, env, noise, hint }: Step,
  logPath: string,
  note: (text: string) => void,
): Promise<void> {
  const log = createWriteStream(logPath, { flags: "a" });
  log.write(`\n$ ${argv.join(" ")}\n`);
  let output = "";
  const failure = (why: string): CodescoreError => {
    const lines = output
      .split("\n")
      .filter((line) => line.trim() !== "" && !noise?.test(line))
      .slice(-12);
    const mend = hint?.(output) ?? commonHint(output);
    return new CodescoreError(
      "environment",
      [
        `${title}: ${why}`,
        ...lines.map((line) => `  | ${line}`),
        ...(mend ? [mend] : []),
        `The whole log: ${logPath}`,
      ].join("\n"),
    );
  };
  return new Promise<void>((resolve, reject) => {
    const child = spawn(argv[0]!, argv.slice(1), {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        log.write(text);
        output = (output + text).slice(-20_000);
        note(text.trimEnd().split("\n").at(-1)!.trim());
      });
    }
    child.on("error", (error) => reject(failure(`cannot start ${argv[0]}: ${error.message}`)));
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(failure(signal ? `stopped by ${signal}` : `${argv[0]} ended with code ${code}`)),
    );
  }).finally(() => log.end());
}

function commonHint(output: string): string | undefined {
  if (/ENOSPC|No space left on device/i.test(output)) {
    return "The disk is full; CODESCORE_CACHE=FOLDER builds elsewhere (and TMPDIR moves pip's temporary files).";
  }
  if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ConnectionError|Failed to establish a new connection/.test(output)) {
    return "The package registry does not answer; run the same command again when it does, it goes on from here.";
  }
  return undefined;
}

interface Line {
  /** What the step says last. */
  readonly note: (text: string) => void;
  readonly elapsed: () => string;
  readonly end: (text: string) => void;
}

/** The step on stderr with the time it takes: rewritten each second on a terminal, else every half minute a new line. */
function startLine(title: string): Line {
  const began = Date.now();
  const { stderr } = process;
  const terminal = stderr.isTTY === true;
  const elapsed = (): string => duration((Date.now() - began) / 1000);
  let last = "";
  const show = (text: string): void => {
    if (terminal) stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`);
    else stderr.write(`${text}\n`);
  };
  show(title);
  const timer = setInterval(() => show(`${title} ${elapsed()}  ${last}`), terminal ? 1000 : 30_000);
  return {
    note: (text) => {
      last = text;
    },
    elapsed,
    end: (text) => {
      clearInterval(timer);
      show(`${title}: ${text}`);
      if (terminal) stderr.write("\n");
    },
  };
}
