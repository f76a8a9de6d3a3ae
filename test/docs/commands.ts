/** The commands that the documents show, and which suite runs them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A command after a `$` in a code block. */
export interface Shown {
  readonly document: string;
  /** Joined over its lines, without a trailing comment. */
  readonly command: string;
  /** The lines after it that are neither commands nor comments. */
  readonly output: readonly string[];
}

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];

/** Every command of every console block, in document order. */
export const shown: readonly Shown[] = documents
  .filter((name) => name.endsWith(".md"))
  .flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8");
    const blocks = [...text.matchAll(/^ *```console\n([\s\S]*?)^ *```$/gm)];
    return blocks.flatMap(([, block]) => commandsOf(block!).map((one) => ({ document, ...one })));
  });

/** The commands of a block with their output. A command continues after a line that ends in `\` or in open quotes. */
function commandsOf(block: string): Pick<Shown, "command" | "output">[] {
  const commands: { readonly command: string; readonly output: string[] }[] = [];
  let open: string | null = null;
  for (const line of block.split("\n").map((one) => one.trim())) {
    const uncommented = line.replace(/\s+# .*$/, "");
    const text: string | null =
      open === null ? (/^\$ (.*)$/.exec(uncommented)?.[1] ?? null) : `${open}\n${uncommented}`;
    if (text === null) {
      if (line !== "" && !line.startsWith("#")) commands.at(-1)?.output.push(line);
      continue;
    }
    const isOpen: boolean = text.endsWith("\\") || (text.match(/'/g)?.length ?? 0) % 2 === 1;
    if (!isOpen) commands.push({ command: text.replaceAll("\\\n", " "), output: [] });
    open = isOpen ? text : null;
  }
  if (open !== null) throw new Error(`a command has no end: ${open}`);
  return commands;
}

/** The words of a command up to a pipe or redirection, without quotes, and without leading `npx` and variables. */
export function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/['"]/g, ""));
  const end = words.findIndex((word) => /^(\||>|&&|<)/.test(word));
  const own = words.slice(0, end < 0 ? words.length : end).filter((word, i) => !(i === 0 && /^[A-Z_]+=/.test(word)));
  return own[0] === "npx" ? own.slice(1) : own;
}

/**
 * Commands that smaller.slow.test.ts runs with smaller settings: a free port, a model server of its own, two steps of training. All others of
 * codescore are run unchanged by commands.slow.test.ts, unless they are in `OTHERS` or `NOT_RUN`.
 */
const SMALLER = [
  /codescore (train|pretrain)\b/,
  /codescore (calibrate|export|score) (--model )?models\/mine/,
  /codescore rtc (?!.*replay:examples\/)/,
  /codescore serve|^curl/,
  /--python (env|venv)\//,
];

/**
 * Commands that others.slow.test.ts runs: those of other programs, and those that need files, servers or programs that it stands in for (a hub,
 * a scheduler, Docker, a box to train on).
 */
const OTHERS = [
  /^(docker|sh|zstd|git|sed|python3 model-server|node --version)\b/,
  /^npm version|^npm publish --dry-run|^python -m (pip install build|build|twine check)/,
  /^CODESCORE_MINUTES|^cd results|^\/tmp\/try/,
  /codescore (boost|datasets fetch|export model$|import|setup)\b/,
  /datasets merge run\/labels|--init models\/unixcoder|--metrics (bleu,codebertscore|comet)|--ratings/,
];

/** Commands that no suite runs, and why. */
export const NOT_RUN: readonly (readonly [command: RegExp, why: string])[] = [
  [/^(npm run quickstart|npm test|\.ci\/run)/, "CI runs it itself; commands.test.ts looks whether the script exists"],
  [/^npm (ci|run build)/, "CI begins with it; commands.test.ts looks whether the scripts exist"],
  [/^npm (install|pack)/, "downloads packages; test/cli/pack.slow packs the package and installs it in another folder"],
  [/^npm publish --provenance|twine upload/, "publishes"],
  [/^pip install \.\/python/, "downloads; test/python/client.slow installs the same folder with pip"],
  [/^(apt-get|pip|python3 -m venv|nvidia-smi|vulkaninfo)/, "sets up or shows the machine"],
  [
    /codescore train .*--pack/,
    "compresses Node and an engine for a minute; test/train/box packs a small run and runs it",
  ],
  [
    /^lm_eval/,
    "reads the thousands of tasks of the harness; python/tests/test_lm_eval.py runs its command line without those",
  ],
];

export const whyNotRun = (command: string): string | undefined =>
  NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

const isOurs = (command: string): boolean => /^(codescore|curl)$/.test(wordsOf(command)[0] ?? "");

const isIn = (patterns: readonly RegExp[], command: string): boolean => patterns.some((one) => one.test(command));

/** Whether others.slow.test.ts runs the command. */
export const isRunBeside = (command: string): boolean => whyNotRun(command) === undefined && isIn(OTHERS, command);

const isLeft = (command: string): boolean =>
  isOurs(command) && whyNotRun(command) === undefined && !isRunBeside(command);

/** Whether smaller.slow.test.ts runs the command. */
export const isRunSmaller = (command: string): boolean => isLeft(command) && isIn(SMALLER, command);

/** Whether commands.slow.test.ts runs the command. */
export const isRunWhole = (command: string): boolean => isLeft(command) && !isIn(SMALLER, command);
