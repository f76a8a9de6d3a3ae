/** The flags of `codescore score`, and the rules for combining them. */
import { extname } from "node:path";
import type { Shard } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import type { Precision } from "../../score/index.ts";
import type { Conclusion, InputFormat } from "../../types.ts";
import { type OutputKind, outputKindOf } from "./output.ts";
import type { RunFlags } from "./run.ts";

export interface Flags extends RunFlags {
  readonly input?: string;
  readonly shard?: Shard;
  readonly stdio?: true;
  readonly output: string;
  readonly as?: OutputKind;
  readonly json?: true;
  readonly problems?: readonly string[];
  readonly samples?: readonly string[];
  readonly reference?: string;
  readonly description?: string;
  readonly rank?: true;
  readonly best?: true;
  readonly consensus?: true;
  readonly failUnder?: number;
  readonly failOn?: readonly Conclusion[];
  readonly junit?: string;
  readonly annotate?: true;
  readonly format: InputFormat | "auto";
  readonly model?: string;
  readonly precision?: Precision;
  readonly device?: string;
  readonly threads?: number;
  readonly calibration: boolean;
  readonly coverage?: number;
  readonly abstain?: number;
  readonly explain?: true;
  readonly explainHtml?: string;
  readonly signature?: true;
}

/** Throws `CodescoreError("usage")` for flags that contradict each other. */
export function checkUse(candidates: readonly string[], flags: Flags): void {
  const { input, reference, description, as, json } = flags;
  const wrong = (message: string): never => {
    throw new CodescoreError("usage", message);
  };
  const rows = candidates.find((path) => /\.(jsonl|csv|parquet|arrow)(\.gz)?$/.test(path));
  if (rows !== undefined)
    wrong(
      `candidates are Python files or folders; give the rows as --input ${rows}, samples as --problems PROBLEMS --samples ${rows}`,
    );
  if (json && as !== undefined && as !== "jsonl") wrong("give --json or --as, not both");
  const { output } = flags;
  const ending = extname(output.replace(/\.gz$/, ""));
  if (as === undefined && !json && outputKindOf(output) === null && !["", ".txt"].includes(ending)) {
    wrong(`expected --output to end in .jsonl, .json, .csv or .txt, got \`${output}\`; or name the format with --as`);
  }
  const limited = flags.failUnder !== undefined || flags.failOn !== undefined;
  if (!limited && (flags.junit !== undefined || flags.annotate)) {
    wrong("--junit and --annotate need --fail-under or --fail-on");
  }
  if (flags.consensus) {
    if (flags.explain || flags.explainHtml) wrong("--explain cannot be used with --consensus");
    if (flags.abstain !== undefined || flags.coverage !== undefined)
      wrong("scores with --consensus have no interval: remove --coverage and --abstain");
  }
  if (!flags.run) {
    const alone = (["inputs", "seed", "until", "python", "workers", "allowUnsafe"] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (alone !== undefined) wrong(`--${alone === "allowUnsafe" ? "allow-unsafe" : alone} needs --run`);
  }
  if (flags.shard !== undefined) checkShard(candidates, flags);
  const { problems, samples } = flags;
  if ((problems === undefined) !== (samples === undefined)) wrong("give --problems and --samples together");
  if (problems !== undefined) {
    if (candidates.length > 0 || (input ?? reference ?? description) !== undefined) {
      wrong("--problems and --samples cannot be used with candidate files, --input, --reference or --description");
    }
    return;
  }
  if (candidates.length > 0) {
    if (flags.stdio) wrong("--stdio reads rows from stdin: remove the candidate files");
    if (input !== undefined) wrong("give candidate files or --input, not both");
    if ((reference ?? description) === undefined)
      wrong("expected --reference or --description to score the candidates against, got neither");
    return;
  }
  if ((reference ?? description) !== undefined) {
    wrong("--reference and --description need candidates: give Python files or folders of them; rows have their own");
  }
  if (input?.endsWith(".py")) {
    wrong(`--input reads rows, got the program ${input}: codescore score --reference REFERENCE.py ${input} scores it`);
  }
  if (input === undefined && !flags.stdio && process.stdin.isTTY) {
    wrong(
      "nothing to score: give candidate files, --input FILE, --problems and --samples, or rows on stdin (codescore score --help)",
    );
  }
}

/** Options that choose, order or judge rows of the whole, of which a shard has a part. */
const WHOLE = ["as", "json", "rank", "best", "failUnder", "failOn", "explainHtml", "signature"] as const;

/** A shard is a file of JSON lines, because `datasets merge` joins lines. */
function checkShard(candidates: readonly string[], flags: Flags): void {
  const { input, samples, output } = flags;
  const alone = [...WHOLE, "stdio" as const].find((name) => flags[name] !== undefined);
  if (alone !== undefined) {
    const name = alone.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CodescoreError("usage", `--${name} cannot be used with --shard, which writes a part of the rows`);
  }
  if (candidates.length > 0 || (samples === undefined && (input === undefined || input === "-"))) {
    throw new CodescoreError("usage", "--shard needs a file that every machine reads: --input FILE, or --samples");
  }
  if (!output.endsWith(".jsonl")) {
    throw new CodescoreError("usage", `with --shard expected --output to end in .jsonl, got \`${output}\``);
  }
}
