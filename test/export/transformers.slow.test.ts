/** An exported folder in `@huggingface/transformers`, which the test installs temporarily (half a gigabyte). */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { CodeScorer, type ScoreResult } from "../../src/score/index.ts";
import { makeFolder } from "./folder.ts";

const run = promisify(execFile);

const rows = [
  { candidate: "def f(a):\n    return a\n", reference: "def f(a):\n    return a + 1\n", description: "one more" },
  { candidate: "def f(a):\n    return 1 + a\n", reference: "def f(a):\n    return a + 1\n", description: "one more" },
];

/** As in its documentation; the tokenizer adds `<s>` and the last `</s>`. */
const SCRIPT = `
import { AutoModel, AutoTokenizer, env } from "@huggingface/transformers";
env.allowRemoteModels = false;
env.localModelPath = "/";
const [folder, rows] = process.argv.slice(2);
const tokenizer = await AutoTokenizer.from_pretrained(folder);
const scores = {};
for (const dtype of ["fp32", "fp16", "q8"]) {
  const model = await AutoModel.from_pretrained(folder, { dtype, device: "cpu" });
  const texts = JSON.parse(rows).map((row) => [row.candidate, row.reference, row.description].join("</s>"));
  const { score, exec } = await model(tokenizer(texts, { padding: true }));
  scores[dtype] = [...score.data].map((value, i) => ({ score: value, exec: exec.data[i] }));
}
process.stdout.write(JSON.stringify(scores));
`;

it("scores in transformers.js as here", async ({ skip }) => {
  const place = await mkdtemp(join(tmpdir(), "codescore-transformers-"));
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(place, "score.mjs"), SCRIPT);
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "@huggingface/transformers@4"];
  const failed = await run("npm", install, { cwd: place }).then(
    () => null,
    (error: Error) => error.message,
  );
  if (failed !== null) skip(`npm cannot install @huggingface/transformers here: ${failed}`);
  const folder = await makeFolder("narrow");
  const { stdout } = await run(process.execPath, ["score.mjs", folder, JSON.stringify(rows)], { cwd: place });
  const theirs = JSON.parse(stdout) as Record<string, ScoreResult[]>;
  for (const [dtype, precision] of [
    ["fp32", "fp32"],
    ["fp16", "fp16"],
    ["q8", "int8"],
  ] as const) {
    const scorer = await CodeScorer.load(folder, { precision });
    for (const [i, result] of (await scorer.scoreAll(rows)).entries()) {
      const { score, exec } = theirs[dtype]![i] as { score: number; exec: number };
      expect(result).toMatchObject({ score: expect.closeTo(score, 6), exec: expect.closeTo(exec, 6) });
    }
    await scorer.close();
  }
  await rm(place, { recursive: true });
  await rm(folder, { recursive: true });
}, 900_000);
