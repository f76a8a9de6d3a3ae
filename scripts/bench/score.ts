/**
 * Measures pairs per second of the scorer on he-eval-dev, with all three parts given, in each form in the model folder. Compares it with
 * PyTorch (eager, single precision) with the same weights on the same batches, each in a separate process on all cores. Also reports how
 * far the scores agree, the peak memory of each, and, with a labeller, how fast the same programs are executed. Run it on an
 * idle machine, after `npm run build`.
 *
 * usage: npx vite-node scripts/bench/score.ts MODEL_FOLDER DATA_FOLDER --python PYTHON_WITH_TORCH
 *          [--labeller PLAIN_LABELLER.py] [--rows 1540] [--passes 3] [--threads 2]
 * "first" includes reading and tokenizing the programs; "best" is the best pass over rows seen before. PyTorch gets token ids.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { FORMS, type Form } from "../../src/export/index.ts";
import { encodeOptions, readConfig } from "../../src/model/index.ts";
import { spearman } from "../../src/statistics/index.ts";
import { batchByLength, loadTokenizer, makeEncoder, padRows } from "../../src/tokenize/index.ts";
import type { ScoreInput } from "../../src/types.ts";
import { exists, packageRoot } from "../../src/util/files.ts";
import { executor, peerLabels, readRows } from "./he-eval.ts";

interface Measured {
  /** [score, exec] of each row. */
  readonly scores: readonly (readonly [number, number])[];
  readonly first?: number;
  readonly seconds: number;
  readonly peakBytes: number;
}

/** The scorer's settings: rows per window (its first windows are smaller), and tokens per batch. */
const [WINDOW, BATCH_TOKENS] = [256, 1024];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string" },
    labeller: { type: "string" },
    rows: { type: "string", default: "1540" },
    passes: { type: "string", default: "3" },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const [folder, data] = positionals;
if (!folder || !data || !values.python) throw new Error("usage: score.ts MODEL_FOLDER DATA_FOLDER --python PYTHON");

const programs = (await readRows(join(data, "he-eval-dev"))).slice(0, Number(values.rows));
const inputs = programs.map(({ code, problem }): ScoreInput => {
  return { candidate: code, reference: problem.references[0]!, description: problem.description };
});
const passRatios = programs.map(({ passRatio }) => passRatio);
const place = await mkdtemp(join(tmpdir(), "codescore-bench-"));

const torch = await pytorch();
report("PyTorch", torch, torch);
let fp32: Measured | null = null;
for (const form of Object.keys(FORMS) as Form[]) {
  if (!(await exists(join(folder, "onnx", FORMS[form])))) continue;
  const ours = await scorer(form);
  if (form === "fp32") {
    fp32 = ours;
    const { rule, trees } = (await readConfig(folder)).codescore;
    const apart = Math.max(...ours.scores.flatMap((row, i) => row.map((v, k) => Math.abs(v - torch.scores[i]![k]!))));
    if (rule + trees > 0)
      console.log("  (the rule and trees have a share in the scores, which PyTorch does not compute)");
    else if (!(apart < 1e-4)) throw new Error(`fp32 and PyTorch differ by ${apart}: they do not run the same network`);
    else console.log(`  (fp32 and PyTorch differ by ${apart.toExponential(1)} at most)`);
  }
  report(`codescore ${form}`, ours, torch);
  const scores = ours.scores.map(([score]) => score);
  const near =
    fp32 === null
      ? ""
      : `with fp32 ${spearman(
          scores,
          fp32.scores.map(([score]) => score),
        ).toFixed(5)}, `;
  console.log(`    r_s ${near}with PassRatio ${spearman(scores, passRatios).toFixed(4)}`);
}
if (values.labeller !== undefined) {
  const count = programs.length;
  const peer = await peerLabels(values.labeller, programs);
  console.log(`executing them, plain labeller    ${(count / peer.seconds).toFixed(1)} programs/s`);
  const ours = await executor(programs, "bwrap");
  console.log(`executing them, codescore label   ${(count / ours.seconds).toFixed(1)} programs/s`);
}
await rm(place, { recursive: true });

function report(name: string, { first, seconds, peakBytes }: Measured, base: Measured): void {
  const rate = (time: number): string => `${(inputs.length / time).toFixed(1).padStart(7)} pairs/s`;
  const cold = first === undefined ? "" : `, first ${rate(first)} (${(base.seconds / first).toFixed(2)} x)`;
  const memory = `${(peakBytes / 2 ** 20).toFixed(0)} MiB`;
  console.log(
    `${name.padEnd(16)} best ${rate(seconds)} (${(base.seconds / seconds).toFixed(2)} x PyTorch)${cold}, ${memory}`,
  );
}

function run(command: string, args: readonly string[]): Measured {
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

async function scorer(precision: Form): Promise<Measured> {
  const path = join(place, "rows.json");
  await writeFile(path, JSON.stringify(inputs));
  const script = `
    import { readFileSync } from "node:fs";
    import { CodeScorer } from ${JSON.stringify(pathToFileURL(join(packageRoot, "dist", "index.js")).href)};
    const rows = JSON.parse(readFileSync(${JSON.stringify(path)}, "utf8"));
    const options = { precision: ${JSON.stringify(precision)}, threads: ${values.threads}, batchTokens: ${BATCH_TOKENS}, calibration: false };
    const scorer = await CodeScorer.load(${JSON.stringify(folder)}, options);
    await scorer.scoreAll(rows.slice(0, 8).map((row) => ({ ...row, candidate: row.candidate + "# warm" })));
    const times = [];
    let results;
    for (let pass = 0; pass <= ${values.passes}; pass++) {
      const began = performance.now();
      results = await scorer.scoreAll(rows);
      times.push((performance.now() - began) / 1000);
    }
    await scorer.close();
    const scores = results.map(({ score, exec }) => [score, exec]);
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    console.log(JSON.stringify({ scores, first: times[0], seconds: Math.min(...times.slice(1)), peakBytes }));`;
  return run(process.execPath, ["--input-type=module", "-e", script]);
}

/** Runs PyTorch on the batches that the scorer makes from the rows. */
async function pytorch(): Promise<Measured> {
  const config = await readConfig(folder!);
  const encode = await makeEncoder(await loadTokenizer(folder!), encodeOptions(config));
  const encoded = inputs.map((input) => encode(input, "ref+nl"));
  const lines: string[] = [];
  const order: number[] = [];
  for (let from = 0; from < encoded.length; from += WINDOW) {
    const window = encoded.slice(from, from + WINDOW);
    const ids = window.map((row) => row.ids);
    const marks = window.map((row) => row.marks ?? []);
    for (const batch of batchByLength(
      ids.map(({ length }) => length),
      BATCH_TOKENS,
    )) {
      const padded = (rows: readonly (readonly number[])[], padding: number): number[][] => {
        const flat = padRows(rows, batch, padding);
        return batch.rows.map((_, i) => [...flat.subarray(i * batch.length, (i + 1) * batch.length)]);
      };
      lines.push(JSON.stringify({ ids: padded(ids, config.pad_token_id), marks: padded(marks, 0) }));
      order.push(...batch.rows.map((row) => from + row));
    }
  }
  const path = join(place, "batches.jsonl");
  await writeFile(path, lines.join("\n"));
  const script = fileURLToPath(new URL("score_torch.py", import.meta.url));
  const measured = run(values.python!, [script, folder!, path, values.threads, values.passes]);
  const scores = new Array<readonly [number, number]>(inputs.length);
  for (const [i, row] of order.entries()) scores[row] = measured.scores[i]!;
  return { ...measured, scores };
}
