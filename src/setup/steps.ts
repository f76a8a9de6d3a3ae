/**
 * Runs the steps of a setup in order; each is a command of another program. A finished step is skipped, an interrupted one
 * runs again, and output goes to a log. Shows which step runs and for how long. Knows nothing of what is set up.
 */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { duration } from "../util/progress.ts";

export interface Step {
  /** Shown to people, and the step's key in the record of finished steps. */
  readonly title: string;
  /** What the result depends on besides the command. A step is done if it and all steps before it ended well with the same keys. */
  readonly key?: string;
  /** Prepares the command, for example writes the files that it reads. */
  readonly prepare?: () => Promise<void>;
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Matches lines of output that do not explain a failure. */
  readonly noise?: RegExp;
  /** How to fix a failure, inferred from the end of the command's output. */
  readonly hint?: (output: string) => string | undefined;
}

/** The file in the setup's folder that records the finished steps. */
export const DONE = "done.json";

const keyOf = ({ key, argv, env }: Step): string => JSON.stringify([key, argv, env]);

/** For each step, whether it is already done. */
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
 * Runs the steps that are not done yet. Throws `CodescoreError("environment")` with the last output lines of the step that
 * failed, its hint and the path of the log.
 */
export async function runSteps(folder: string, steps: readonly Step[]): Promise<void> {
  const done = await stepsDone(folder, steps);
  await mkdir(folder, { recursive: true });
  const log = join(folder, "setup.log");
  for (const [i, step] of steps.entries()) {
    const line = startLine(`[${i + 1}/${steps.length}] ${step.title}`);
    if (done[i]) {
      line.end("already done");
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
    return "The disk is full. Set CODESCORE_CACHE=FOLDER to build elsewhere, and TMPDIR to move pip's temporary files.";
  }
  if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ConnectionError|Failed to establish a new connection/.test(output)) {
    return "The package registry does not answer. Run the same command later; it continues from here.";
  }
  return undefined;
}

interface Line {
  /** Sets the step's latest output line. */
  readonly note: (text: string) => void;
  readonly elapsed: () => string;
  readonly end: (text: string) => void;
}

/** Shows the step and its elapsed time on stderr: rewritten each second on a terminal, otherwise a new line every half minute. */
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
