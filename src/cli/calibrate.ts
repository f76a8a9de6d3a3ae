/** `codescore calibrate`: calibrates a model's scores, and fits prediction intervals. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { Calibrated, Method } from "../evaluate/index.ts";
import type { CalibrationFile, FormatCalibration } from "../score/index.ts";
import type { InputFormat, LabelledRow } from "../types.ts";
import { counted } from "../util/counted.ts";

interface CalibrateFlags {
  readonly model: string;
  readonly data: string;
  readonly method: Method;
  readonly onlyIntervals?: true;
}

export const calibrateVerb = (): Command =>
  new Command("calibrate")
    .description("fit a model's scores and intervals to labelled rows that it was not trained on")
    .requiredOption("--model <dir>", "model folder; gets calibration.json")
    .requiredOption("--data <file>", "labelled rows of problems that the model was not trained on, .arrow or .jsonl")
    .addOption(
      new Option("--method <method>", "how scores are mapped; none: fits only intervals")
        .choices(["isotonic", "platt", "none"])
        .default("isotonic"),
    )
    .option("--only-intervals", "fit only the intervals again; scores stay as calibration.json maps them")
    .addHelpText(
      "after",
      `
Calibrates each input format (ref, nl, ref+nl) separately, on the rows that have its fields. Intervals reach their coverage
for each source of problems (the source of MBPP/4 is MBPP), and separately for programs that pass no test, some tests and
all tests, overall and of each source, if at least 20 problems have such programs. The table shows results of five-fold
cross-validation over problems. \`codescore score\` then gives calibrated scores and intervals.

Examples:
  codescore calibrate --model models/mine --data dev.arrow
  codescore calibrate --model models/mine --data dev.arrow --method platt`,
    )
    .action(run);

async function run({ model, data, method, onlyIntervals }: CalibrateFlags): Promise<void> {
  const { calibrate, calibrationTable, LEAST_TO_CALIBRATE, readRows, toText } = await import("../evaluate/index.ts");
  const { CALIBRATION_FILE, CodeScorer, readCalibrationFile } = await import("../score/index.ts");
  const { fileHash } = await import("../util/download.ts");
  const { writeAtomic } = await import("../util/files.ts");
  const rows = await readRows(data);
  checkEnough(data, rows, LEAST_TO_CALIBRATE);
  const scorer = await CodeScorer.load(model, { calibration: false });
  try {
    const models = await hashesOf(scorer.folder);
    const before = onlyIntervals ? await readCalibrationFile(scorer.folder, Object.values(models)) : null;
    const formats = await calibrate(scorer, rows, { method: before?.method ?? method, progress: true });
    const path = join(scorer.folder, CALIBRATION_FILE);
    const used = {
      sha256: await fileHash(data),
      rows: rows.length,
      problems: new Set(rows.map(({ task_id }) => task_id)).size,
    };
    const file =
      before === null
        ? { version: 1, method, models, data: used, scores: scorer.signature, formats }
        : { ...before, intervals: used, formats: withIntervals(before.formats, formats) };
    await writeAtomic(path, `${JSON.stringify(file)}\n`);
    process.stdout.write(`${toText(calibrationTable(formats))}\n`);
    process.stderr.write(`wrote ${path}\n`);
  } finally {
    await scorer.close();
  }
}

/** Throws `CodescoreError("input")` if no input format has enough labelled rows. Runs before anything is scored. */
function checkEnough(path: string, rows: readonly LabelledRow[], least: { rows: number; problems: number }): void {
  const labelled = rows.filter((row) => row.pass_ratio !== null && row.executable !== null);
  const found = (["reference", "description"] as const).map((part) => {
    const those = labelled.filter((row) => row[part]);
    return { rows: those.length, problems: new Set(those.map(({ task_id }) => task_id)).size };
  });
  if (found.some((format) => format.rows >= least.rows && format.problems >= least.problems)) return;
  const most = found[0]!.rows >= found[1]!.rows ? found[0]! : found[1]!;
  const [expected, got] = [least, most].map(
    (n) => `${counted(n.rows, "labelled row")} of ${counted(n.problems, "problem")}`,
  );
  throw new CodescoreError(
    "input",
    `${path}: expected at least ${expected} with a reference, or with a description, got ${got}; give more labelled rows`,
  );
}

/** Keeps the score mappings of `before` and replaces the intervals. A format without new intervals keeps its old ones. */
function withIntervals(
  before: CalibrationFile["formats"],
  found: Partial<Record<InputFormat, Calibrated>>,
): CalibrationFile["formats"] {
  const formats = Object.entries(before) as [InputFormat, FormatCalibration][];
  return Object.fromEntries(
    formats.map(([format, calibration]) => {
      const { spread = calibration.spread } = found[format] ?? {};
      return [format, { ...calibration, spread }];
    }),
  );
}

/** Hashes of all ONNX files of the network that exist, if it has a share, because one calibration serves them all, and of the trees. */
async function hashesOf(folder: string): Promise<Record<string, string>> {
  const { shortHash } = await import("../score/index.ts");
  const { TREES_FILE } = await import("../trees/index.ts");
  const { exists } = await import("../util/files.ts");
  const { readScorerConfig, usesNetwork } = await import("../model/index.ts");
  const inside = usesNetwork((await readScorerConfig(folder)).codescore) ? await readdir(join(folder, "onnx")) : [];
  const names = inside
    .filter((name) => name.endsWith(".onnx"))
    .sort()
    .map((name) => `onnx/${name}`);
  if (await exists(join(folder, TREES_FILE))) names.push(TREES_FILE);
  const hashes = await Promise.all(names.map((name) => shortHash(join(folder, name))));
  return Object.fromEntries(names.map((name, i) => [name, hashes[i]!]));
}
