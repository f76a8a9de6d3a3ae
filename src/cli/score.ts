import { Command, Option } from "commander";
import type { InputRow, OutputRow, ScorerOptions } from "../score/index.ts";
import type { InputFormat } from "../types.ts";
import { optimizeLater } from "../util/tiers.ts";
import {
  allowUnsafeOption,
  integer,
  markIncomplete,
  number,
  paths,
  pythonOption,
  sandboxOption,
} from "./options/values.ts";
import { ScoreLimit } from "./score/limit.ts";
import { OUTPUT_KINDS, type OutputKind, outputKindOf, writeScores } from "./score/output.ts";
import { openRun, RUN_INPUTS, type RunFlags } from "./score/run.ts";
import { checkUse, type Flags } from "./score/use.ts";

export const scoreVerb = (): Command =>
  new Command("score")
    .description("score candidates against a reference, a description or both; nothing is executed without --run")
    .argument("[candidates...]", "Python files, or folders of them")
    .option("--reference <path>", "a correct program, or a folder with one of the same name for each candidate")
    .option("--description <path>", "what the program should do, as text; or a folder likewise")
    .option(
      "--input <file>",
      "rows {id?, candidate, reference?, description?, task_id?, entry_point?}: .jsonl, .csv, .parquet, - (stdin); or a labelled .arrow set",
    )
    .option(
      "--problems <path>",
      "with --samples: a problem file or a folder of them, in any format that label reads; may be repeated",
      paths,
    )
    .option(
      "--samples <path>",
      "a sample file or a folder of them, scored beside their problems; may be repeated",
      paths,
    )
    .option("--stdio", "rows on stdin, a score for each on stdout: JSON lines or Arrow batches (docs/clusters.md)")
    .option("--output <file>", "where the scores go: .jsonl, .json or .csv, .gz or not; - is stdout", "-")
    .addOption(
      new Option(
        "--as <kind>",
        "form of the output (default: by its ending; else a table of files, JSON lines of rows)",
      ).choices(OUTPUT_KINDS),
    )
    .option("--json", "the same as --as jsonl")
    .option(
      "--rank",
      "rank the candidates of each task, best first, with ties; rows without task_id: by what they are to do",
    )
    .option("--best", "only the best candidate of each task, with its program; of equals the first")
    .option(
      "--consensus",
      "half of a score from how far the program agrees with the others of its task: for samples without a reference",
    )
    .option("--fail-under <score>", "exit with 1 when a score that is put out is lower", number(0, 1))
    .option("--junit <file>", "with --fail-under: the rows as test cases in JUnit XML, which CI systems show")
    .option(
      "--annotate",
      "with --fail-under: annotations of GitHub Actions on stderr, in files where candidates are files",
    )
    .addOption(
      new Option("--format <format>", "which parts to look at")
        .choices(["auto", "ref", "nl", "ref+nl"])
        .default("auto"),
    )
    .option(
      "--model <model>",
      "model folder, or the name of a shipped one: small, tiny (default: the best shipped one)",
    )
    .addOption(
      new Option(
        "--precision <form>",
        "which of the model's forms (default: on a CPU int8 where there, else fp32)",
      ).choices(["auto", "fp32", "fp16", "int8"]),
    )
    .option(
      "--device <name>",
      "onnxruntime's device: cpu, wasm, cuda, webgpu, coreml, dml, ... (default: cpu; without onnxruntime-node wasm)",
    )
    .option(
      "--threads <n>",
      "threads that compute and that read programs (default: the number of cores; half as many read)",
      integer(1),
    )
    .option("--no-calibration", "raw scores, though the model has a calibration (codescore calibrate)")
    .option("--coverage <share>", "share of the intervals that hold the PassRatio (default: 0.9)", number(0.5, 0.99))
    .option("--abstain <width>", "mark rows whose interval is wider as abstained", number(0, 1))
    .option("--explain", "what is seen to fail, and the lines that cost the most: each is left out in turn, and scored")
    .option("--explain-html <file>", "the same as one HTML file, candidates beside their references")
    .option("--run", "run the candidates, in a sandbox, on inputs made up from reference, description and each other")
    .option(
      "--inputs <n>",
      `inputs that the candidates of a task run on, with --run (default: ${RUN_INPUTS})`,
      integer(1),
    )
    .option("--seed <n>", "seed of the inputs (default: 0)", integer(0))
    .option("--until <width>", "run on no more inputs than make the interval this narrow", number(0.01, 1))
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addOption(pythonOption())
    .option("--workers <n>", "programs run at a time (default: the number of cores)", integer(1))
    .addHelpText(
      "after",
      `
Each row says which it is: \`fails\` (seen without running it, with the line, or shown by an input), \`looks right\` (nothing ran),
\`behaves right\` (it ran), or \`unknown\`. Without --run do not trust a score for a decision: a program that
sorts in the wrong order looks as right as a correct rewrite. With --run it fails, and the row shows an input.

Exits with 0 when all was scored, 1 when a row could not be (its error is in its place) or scored too low, 2 on wrong use.

Examples:
  codescore score --reference ref.py candidate.py
  codescore score --description task.txt a.py b.py --fail-under 0.8 --junit scores.xml
  codescore score --reference solutions/ answers/ --output scores.csv
  codescore score --input pairs.jsonl --rank --as table
  codescore score --problems HumanEval.jsonl.gz --samples samples.jsonl --output scores.jsonl
  codescore score --description task.txt samples/ --consensus --best
  codescore score --run --reference ref.py candidate.py
  codescore score --run --description task.txt samples/ --best
  codescore score --reference ref.py candidate.py --explain --explain-html why.html
  cat pairs.jsonl | codescore score > scores.jsonl`,
    )
    .action(async (candidates: string[], flags: Flags) => {
      checkUse(candidates, flags);
      optimizeLater();
      const { model, precision, device, threads, calibration, coverage, abstain } = flags;
      const options = {
        ...(precision && { precision }),
        ...(device && { device }),
        ...(threads && { threads }),
        ...(coverage !== undefined && { coverage }),
        ...(abstain !== undefined && { abstain }),
        calibration,
      };
      if (flags.stdio) return (await import("./score/stdio.ts")).scoreStdio(flags, options);
      const rows = await openRows(candidates, flags);
      await score(rows, model, flags, options, {
        ...flags,
        tasks: flags.problems !== undefined,
        areFiles: candidates.length > 0,
        as:
          flags.as ??
          (flags.json ? "jsonl" : outputKindOf(flags.output)) ??
          (candidates.length > 0 ? "table" : "jsonl"),
      });
    });

async function openRows(
  candidates: readonly string[],
  { input, problems, samples, reference, description }: Flags,
): Promise<AsyncIterable<InputRow>> {
  if (problems !== undefined) {
    const { readSampleInputs } = await import("./score/samples.ts");
    return readSampleInputs(problems, samples!);
  }
  const { readPrograms, readRows } = await import("./score/input.ts");
  if (candidates.length === 0) return readRows(input ?? "-");
  return readPrograms({ candidates, ...(reference && { reference }), ...(description && { description }) });
}

interface Output {
  readonly output: string;
  readonly as: OutputKind;
  readonly rank?: true;
  readonly best?: true;
  readonly tasks: boolean;
  readonly consensus?: true;
  readonly failUnder?: number;
  readonly junit?: string;
  readonly annotate?: true;
  /** Whether ids are paths of candidates. */
  readonly areFiles: boolean;
  readonly format: InputFormat | "auto";
  readonly explain?: true;
  readonly explainHtml?: string;
}

const NO_CONSENSUS =
  "no score has a consensus: that takes two candidates of one task or more, with a description and no reference " +
  "(--format nl leaves references out)\n";

const BY_ANSWERS =
  "--consensus adds nothing to --run, which holds the samples of a task against each other by their answers\n";

const IN_WASM =
  "computed in WebAssembly; native code takes a third to a fifth of the time: npm install onnxruntime-node --ignore-scripts\n";

async function score(
  rows: AsyncIterable<InputRow>,
  model: string | undefined,
  running: RunFlags,
  options: ScorerOptions,
  {
    output,
    as,
    rank,
    best,
    tasks,
    consensus,
    failUnder,
    junit,
    annotate,
    areFiles,
    format,
    explain,
    explainHtml,
  }: Output,
): Promise<void> {
  const { CodeScorer, scoreRows, Summary } = await import("../score/index.ts");
  const scorer = await CodeScorer.load(model, options);
  const runs = await openRun(running);
  const page = explainHtml === undefined ? null : await openPage(explainHtml);
  const summary = new Summary();
  const limit = failUnder === undefined ? null : new ScoreLimit(failUnder);
  const ci = failUnder !== undefined && (junit !== undefined || annotate) ? await openCi(failUnder) : null;
  async function* counted(found: AsyncIterable<OutputRow>): AsyncGenerator<OutputRow> {
    for await (const one of found) {
      limit?.add(one);
      ci?.add(one);
      yield one;
    }
  }
  try {
    const began = performance.now();
    const found = scoreRows(scorer, rows, {
      format,
      ...runs.options,
      note: (result) => runs.note(result),
      explain: explain === true,
      ...(page && { onExplained: (row, result, explanation) => page.add(row, result, explanation) }),
      consensus: consensus === true && !running.run,
      tasks,
      ...((rank || best) && { order: best ? "best" : "rank" }),
      onResult: (result) => summary.add(result),
    });
    await writeScores(output, as, counted(found), summary);
    const seconds = (performance.now() - began) / 1000;
    const notes = [summary.toString(), limit?.toString(), scorer.signatureOf(format)];
    const rate = `scored ${summary.rows} rows in ${seconds.toFixed(1)} s (${(summary.rows / seconds).toFixed(0)}/s)`;
    process.stderr.write(`${rate}: ${notes.filter(Boolean).join("; ")}\n`);
    process.stderr.write(limit?.advice(running.run === true) ?? "");
    if (scorer.device !== (options.device ?? "cpu")) process.stderr.write(IN_WASM);
    if (consensus && running.run) process.stderr.write(BY_ANSWERS);
    else if (consensus && summary.consensus === 0) process.stderr.write(NO_CONSENSUS);
    if (output !== "-") process.stderr.write(`wrote ${output}\n`);
    await page?.write();
    if (ci && junit !== undefined) await ci.writeJunit(junit);
    if (ci && annotate) process.stderr.write(ci.annotations(areFiles));
    if (summary.errors > 0 || (limit?.below ?? 0) > 0) markIncomplete();
  } finally {
    await Promise.all([scorer.close(), runs.close()]);
  }
}

async function openCi(limit: number) {
  const { CiReport } = await import("./score/ci.ts");
  return new CiReport(limit);
}

async function openPage(path: string) {
  const { ExplanationPage } = await import("./score/explain.ts");
  return new ExplanationPage(path);
}
