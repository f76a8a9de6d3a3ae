/**
 * `npm run quickstart`: the whole pipeline on the problems in datasets/starter, from programs to a scorer and its report.
 * Every step is a `codescore` command that can be run by hand. A step whose output exists is skipped, and a step
 * that was killed resumes. `--fresh` starts over.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root, run } from "./prepare.mjs";

process.chdir(root); // so that every printed path can be copied
const out = join("runs", "quickstart");
const at = (...names) => join(out, ...names);
const began = Date.now();
// picocolors is not installed yet
const isBold = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const title = (text) => console.log(isBold ? `\n\x1b[1m${text}\x1b[0m` : `\n${text}`);

title("Install and build");
prepare();
run("npm", ["run", "--silent", "build"]);
if (process.argv.includes("--fresh")) await rm(out, { recursive: true, force: true });

/** Runs one command unless its output exists. With `quiet` its stdout is not shown. */
function step(number, text, args, writes, quiet = false) {
  title(`${number}. ${text}`);
  console.log(`$ npx codescore ${args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ")}`);
  if (writes !== null && existsSync(writes)) console.log(`  ${writes} is there`);
  else run(process.execPath, [join(root, "dist", "cli", "main.js"), ...args], {}, quiet ? "ignore" : "inherit");
}

const problems = at("problems.jsonl");
const labelled = at("labelled.arrow");
const [train, dev, test] = ["train", "dev", "test"].map((part) => at("data", `${part}.arrow`));
const [model, recording, rtc, report] = [at("model"), at("recording.jsonl"), at("rtc"), at("report.html")];
const starter = join("datasets", "starter");

step(
  1,
  "Expand the tests of 80 problems",
  ["expand", "--problems", starter, "--output", problems, "--count", "25"],
  problems,
);
step(
  2,
  "Make candidates: mutants, rewrites, other solutions",
  ["mutate", "--problems", starter, "--output", at("samples.jsonl"), "--per-problem", "24"],
  at("samples.jsonl"),
);
step(
  3,
  "Execute them in a sandbox and label them",
  ["label", "--problems", problems, "--samples", at("samples.jsonl"), "--output", labelled],
  labelled,
);
step(
  4,
  "Split by problem",
  ["datasets", "split", labelled, "--output", at("data"), "--test", "0.2", "--dev", "0.1", "--seed", "3"],
  test,
);
step(
  5,
  "Train a small UniCE",
  // Sized for one or two minutes on one core; rate and loss as in models/LOG.md.
  [
    ...["train", "--data", train, "--dev", dev, "--output", model],
    ...["--steps", "45", "--eval-every", "15", "--batch-tokens", "3000", "--learning-rate", "2e-3", "--loss", "bce"],
  ],
  null,
  true, // its JSON is for programs: the sentences after it say the same
);
step(6, "Export it as ONNX", ["export", model], null);
await recordRoundTrips();
step(
  7,
  "Round-trip correctness on recorded answers, with the scorer as sim",
  [
    "rtc",
    "synthesis",
    "--problems",
    at("test-problems.jsonl"),
    "--forward",
    `replay:${recording}`,
    "--sims",
    "codescore,pass,bleu,chrf",
    "--model",
    model,
    "--output",
    rtc,
  ],
  null,
);
step(
  8,
  "Score problems not trained on, compare with execution, write the report",
  [
    "evaluate",
    "--data",
    test,
    "--model",
    model,
    "--metrics",
    "exact,bleu,chrf",
    "--training",
    model,
    "--rtc",
    rtc,
    "--report",
    report,
    "--title",
    "codescore quickstart",
  ],
  null,
);

title(`Done in ${Math.round((Date.now() - began) / 1000)} s`);
console.log(`report: ${report}\nmodel:  ${model}`);
console.log(
  "This model is a toy, trained for a minute or two on 56 problems. `codescore score` uses the shipped one, trained on programs of many models.",
);
console.log(`try:    npx codescore score --reference examples/reference.py examples/candidate.py`);

/**
 * Writes a fake recording, because there is no language model here. In it the model describes each test problem in the problem's
 * words, and rewrites it as three of its mutants and rewrites, so that `pass` and `codescore` can be compared.
 */
async function recordRoundTrips() {
  if (existsSync(recording)) return;
  const load = (room) => import(pathToFileURL(join(root, "dist", room)).href);
  const [{ readExamples }, { readJsonLines, writeJsonLines }] = await Promise.all([
    load("dataset/index.js"),
    load("util/jsonl.js"),
  ]);
  const made = new Map(); // task id -> candidates
  for await (const { task_id, candidate, made_by } of readExamples(test)) {
    if (!/mutant|rewrite/.test(made_by)) continue;
    made.set(task_id, [...(made.get(task_id) ?? []), candidate]);
  }
  const rows = [];
  const kept = [];
  for await (const { value } of readJsonLines(problems)) {
    const candidates = made.get(value.task_id);
    if (candidates === undefined) continue;
    kept.push(value);
    const every = Math.floor(candidates.length / 3) || 1;
    for (let sample = 0; sample < 3; sample++) {
      rows.push({ task_id: value.task_id, direction: "forward", sample, text: value.description.slice(0, 128) });
      rows.push({
        task_id: value.task_id,
        direction: "backward",
        sample,
        text: candidates[(sample * every) % candidates.length],
      });
    }
  }
  await writeJsonLines(at("test-problems.jsonl"), kept);
  await writeJsonLines(recording, rows);
}
