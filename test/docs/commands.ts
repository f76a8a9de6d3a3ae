/** The commands that the documents show, and those that the slow suite cannot run. */
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
 * codescore are run unchanged by commands.slow.test.ts, unless they are in `NOT_RUN`.
 */
const SMALLER = [
  /codescore (train|pretrain)\b(?!.*(--pack|--init models\/unixcoder))/,
  /codescore (calibrate|export|score) (--model )?models\/mine/,
  /codescore rtc|estimate --rtc/,
  /codescore serve|^curl/,
  /--python (env|venv)\//,
];

/** Commands that no suite runs, and why. */
export const NOT_RUN: readonly (readonly [command: RegExp, why: string])[] = [
  [/^(npm run quickstart|npm test|\.ci\/run)/, "CI runs it itself"],
  [/^npm (ci|install|run build|pack|version)/, "CI begins with it, or it installs packages"],
  [/^npm publish|twine|^git |-m (build|pip)|^sed /, "publishes, or changes what is to be released"],
  [/^(apt-get|pip|python3 -m venv|nvidia-smi|vulkaninfo|node --version)/, "sets up or shows the machine"],
  [/^\/tmp\/try/, "needs the installed package"],
  [/^docker /, "needs Docker; test/dockerfile.test.ts reads the Dockerfile"],
  [/codescore train .*--pack/, "packs Node and an engine, in minutes; test/cli/pack does so"],
  [/^zstd|run\/run\.sh|^cd results|export model$/, "needs the box of a pack; test/cli/pack has one"],
  [/codescore (datasets fetch|import)\b/, "downloads; test/problems and test/model do so from a server of their own"],
  [/--init models\/unixcoder/, "needs a downloaded model; test/train starts from one"],
  [/codescore boost/, "needs 1,000 programs; test/evaluate/fit/boost has them"],
  [/codescore setup/, "builds TensorFlow; test/setup looks at its dry run"],
  [/^python3 model-server/, "loads a language model; test/rtc/gemma.test.ts replays its answers"],
  [/--project toolz/, "needs the project toolz; test/rtc/synthesis has a smaller one"],
  [/--metrics (bleu,codebertscore|comet)/, "needs an exported encoder; test/cli/embeddings makes one"],
  [/^sh (run|jobs)\/submit/, "needs a cluster; test/cli/cluster runs the jobs"],
  [/datasets merge run\/labels/, "needs the labels of all 256 shards; test/dataset/merge has some"],
  [/^lm_eval/, "needs the harness; test/python runs it where it is installed"],
  [/--ratings/, "needs forms that people filled; test/evaluate/rating has some"],
];

export const whyNotRun = (command: string): string | undefined =>
  NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

const isOurs = (command: string): boolean => /^(codescore|curl)$/.test(wordsOf(command)[0] ?? "");

/** Whether smaller.slow.test.ts runs the command. */
export const isRunSmaller = (command: string): boolean =>
  isOurs(command) && whyNotRun(command) === undefined && SMALLER.some((pattern) => pattern.test(command));

/** Whether commands.slow.test.ts runs the command. */
export const isRunWhole = (command: string): boolean =>
  isOurs(command) && whyNotRun(command) === undefined && !SMALLER.some((pattern) => pattern.test(command));
