import type { Command } from "commander";
import type { Shard } from "../dataset/index.ts";
import type { InputRow, OutputRow, ScorerOptions } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { RepeatedIds } from "../util/repeated-ids.ts";
import { tuneForReading } from "../util/v8.ts";
import { addScorerOptions } from "./options/scorer.ts";
import { allowUnsafeOption, integer, markIncomplete, number, pythonOption, sandboxOption } from "./options/values.ts";
import { LimitedRows, type Limits } from "./score/limit.ts";
import { rowOptions } from "./score/options.ts";
import { type OutputKind, outputKindOf, writeScores } from "./score/output.ts";
import { openRun, RUN_INPUTS, type RunFlags } from "./score/run.ts";
import type { Part } from "./score/shard.ts";
import { checkUse, type Flags } from "./score/use.ts";

export const scoreVerb = (): Command =>
  addScorerOptions(rowOptions())
    .option(
      "--explain",
      "say what will fail, where the candidate differs from the reference, and which lines lower the score most",
    )
    .option("--explain-html <file>", "write the explanation to one HTML file, candidates beside their references")
    .option(
      "--run",
      "run the candidates in a sandbox, on inputs generated from the reference, the description and the candidates",
    )
    .option("--inputs <n>", `with --run: inputs per task (default: ${RUN_INPUTS})`, integer(1))
    .option("--seed <n>", "seed of the inputs (default: 0)", integer(0))
    .option("--until <width>", "with --run: stop running a candidate once its interval is this narrow", number(0.01, 1))
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addOption(pythonOption())
    .option("--signature", "end with the signature of the scores: how they were made, to cite with them")
    .option("--workers <n>", "programs to run at the same time (default: the number of cores)", integer(1))
    .addHelpText(
      "after",
      `
Each row has a conclusion:
  fails          a fault was found without running it, or an input shows it
  looks right    it was not run; it resembles a correct program
  behaves right  it was run, and gave the reference's answer for every input;
                 without a reference it passed every example, and probably passes the tests
  unknown        there is no evidence that it is right or wrong

Do not decide by a score without --run. A program that sorts in the wrong order can look as good as a correct rewrite.
With --run it fails, and the row shows an input.

Bad rows become \`{id, error}\`. Exit codes: 0 all rows scored; 1 a row has an error, or did not pass --fail-under or --fail-on; 2 wrong use:
an option, or an input that is missing, empty or not in the expected format. With --shard, only errors that another attempt may not have
make it 1.

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
    .action(run);

async function run(candidates: string[], flags: Flags): Promise<void> {
  checkUse(candidates, flags);
  tuneForReading();
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
  const part = flags.shard === undefined ? null : await openPart(flags, flags.shard);
  const rows = part?.rows ?? (await openRows(candidates, flags));
  await score(rows, model, flags, options, {
    ...flags,
    part,
    tasks: flags.problems !== undefined,
    areFiles: candidates.length > 0,
    as: flags.as ?? (flags.json ? "jsonl" : outputKindOf(flags.output)) ?? (candidates.length > 0 ? "table" : "jsonl"),
  });
}

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

interface Output extends Flags {
  readonly part: Part | null;
  readonly as: OutputKind;
  readonly tasks: boolean;
  /** Whether the ids are paths of candidate files. */
  readonly areFiles: boolean;
}

const NO_CONSENSUS =
  "no score has a consensus: it needs at least two candidates of a task, with a description and without a reference " +
  "(--format nl ignores references)\n";

const BY_ANSWERS = "--consensus has no effect with --run, which compares the answers of the samples of a task\n";

const NO_NETWORK = "the model has no network, so --device and --precision change nothing\n";

const IN_WASM =
  "computed in WebAssembly; native code is three to five times as fast: npm install onnxruntime-node --ignore-scripts\n";

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
    failOn,
    junit,
    annotate,
    areFiles,
    format,
    explain,
    explainHtml,
    signature,
    part,
  }: Output,
): Promise<void> {
  const { scorer, runs } = await open(model, options, running);
  const { BestSummary, scoreRows, Summary } = await import("../score/index.ts");
  const page = explainHtml === undefined ? null : await openPage(explainHtml);
  const summary = new Summary();
  if (best) summary.best = new BestSummary();
  const signatures = new Set<string>();
  const ids = new RepeatedIds();
  const limits: Limits = { under: failUnder, on: failOn ?? [] };
  const limit = failUnder === undefined && failOn === undefined ? null : new LimitedRows(limits);
  const ci = junit !== undefined || annotate ? await openCi(limits) : null;
  async function* limited(found: AsyncIterable<OutputRow>): AsyncGenerator<OutputRow> {
    for await (const one of found) {
      summary.best?.choose(one.task!, one.result);
      limit?.add(one);
      ci?.add(one);
      part?.add(one.result);
      if (!("error" in one.result)) signatures.add(one.result.signature);
      yield one;
    }
  }
  try {
    const began = performance.now();
    const named = ids.over(rows, ({ id, taskId = null }) => ({ task: taskId, id }));
    const found = scoreRows(scorer, named, {
      format,
      ...runs.options,
      note: (result) => runs.note(result),
      explain: explain === true,
      ...(page && { onExplained: (row, result, explanation) => page.add(row, result, explanation) }),
      consensus: consensus === true && !running.run,
      tasks,
      ...((rank || best) && { order: best ? "best" : "rank" }),
      onResult: (result, { candidate, task }) => {
        summary.add(result);
        summary.best?.add(task, result);
        ci?.look(result, candidate);
      },
    });
    await writeScores(output, as, limited(found), summary);
    const seconds = (performance.now() - began) / 1000;
    const notes = [summary.toString(), limit?.toString()];
    const rate = `scored ${counted(summary.rows, "row")} in ${seconds.toFixed(1)} s (${rateOf(summary.rows / seconds)}/s)`;
    process.stderr.write(`${rate}: ${notes.filter(Boolean).join("; ")}\n`);
    if (summary.best) process.stderr.write(`${summary.best}\n`);
    process.stderr.write(limit?.advice(running.run === true) ?? "");
    if (signature) for (const one of [...signatures].sort()) process.stderr.write(`signature: ${one}\n`);
    if (ids.warning !== null) process.stderr.write(`${ids.warning}\n`);
    if (scorer.device === "wasm" && options.device !== "wasm") process.stderr.write(IN_WASM);
    if (scorer.device === "none" && (options.device ?? options.precision) !== undefined)
      process.stderr.write(NO_NETWORK);
    if (consensus && running.run) process.stderr.write(BY_ANSWERS);
    else if (consensus && summary.consensus === 0) process.stderr.write(NO_CONSENSUS);
    if (output !== "-") process.stderr.write(`wrote ${output}\n`);
    await page?.write();
    await part?.write(scorer.signatureOf(format), runs);
    if (ci && junit !== undefined) await ci.writeJunit(junit, areFiles);
    if (ci && annotate) process.stderr.write(ci.annotations(areFiles));
    // Another attempt at a part would meet the errors of its input again, so only the others count.
    if ((part?.infra ?? summary.errors) > 0 || limit?.allPass === false) markIncomplete();
  } finally {
    await Promise.all([scorer.close(), runs.close()]);
  }
}

/** The model loads while the sandbox starts. If one of them fails, the other is closed. */
async function open(model: string | undefined, options: ScorerOptions, running: RunFlags) {
  const opening = openRun(running); // first: the sandbox starts in other processes, while this one loads its modules
  const loading = import("../score/index.ts").then(({ CodeScorer }) => CodeScorer.load(model, options));
  const [scorer, runs] = await Promise.allSettled([loading, opening]);
  if (scorer.status === "fulfilled" && runs.status === "fulfilled") return { scorer: scorer.value, runs: runs.value };
  if (scorer.status === "fulfilled") await scorer.value.close();
  if (runs.status === "fulfilled") await runs.value.close();
  throw scorer.status === "rejected" ? scorer.reason : (runs as PromiseRejectedResult).reason;
}

const rateOf = (rate: number): string => rate.toFixed(rate < 10 ? 1 : 0);

async function openPart(flags: Flags, shard: Shard): Promise<Part> {
  const { openPart: open } = await import("./score/shard.ts");
  return open(flags, shard);
}

async function openCi(limits: Limits) {
  const { CiReport } = await import("./score/ci.ts");
  return new CiReport(limits);
}

async function openPage(path: string) {
  const { ExplanationPage } = await import("./score/explain.ts");
  return new ExplanationPage(path);
}
