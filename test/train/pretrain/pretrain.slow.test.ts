/** Pretraining on the Python standard library: the model learns to use the context of a token. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type MlmLogLine, pretrain } from "../../../src/train/index.ts";
import { readLog } from "../../../src/train/log.ts";
import { mlmBatches } from "../../../src/train/pretrain/batches.ts";
import { resolvePretrainOptions } from "../../../src/train/pretrain/options.ts";
import { preparePretraining } from "../../../src/train/pretrain/prepare.ts";

it("beats the frequencies of the tokens, which any model learns first", { timeout: 1_800_000 }, async () => {
  const script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
  const library = execFileSync("python3", ["-c", script], { encoding: "utf8" }).trim();
  const out = await mkdtemp(join(tmpdir(), "codescore-pretrain-"));
  const options = {
    data: ["asyncio", "email", "json", "http", "xml"].map((name) => join(library, name)),
    out,
    vocabSize: 400,
    steps: 320,
    batchTokens: 640,
    learningRate: 3e-3,
    evaluateEvery: 80,
    quiet: true,
  };
  try {
    const result = await pretrain(options);
    const { config, train, dev } = await preparePretraining(resolvePretrainOptions(options));

    // The cross-entropy of the dev targets under the token counts of the training files, each plus one.
    const counts = new Float64Array(config.vocab_size).fill(1);
    for (const window of train.flat()) for (const id of window) counts[id]! += 1;
    const total = counts.reduce((a, b) => a + b);
    const targets = mlmBatches(train, dev, config, resolvePretrainOptions(options)).dev.flatMap(
      (batch) => batch.targets,
    );
    const unigram = targets.reduce((sum, id) => sum - Math.log(counts[id]! / total), 0) / targets.length;

    const devs = (await readLog<MlmLogLine>(out)).flatMap(({ step, dev }) => (dev ? [{ step, ...dev }] : []));
    expect(devs[0]).toMatchObject({ step: 80, tokens: targets.length });
    expect(devs[0]!.loss).toBeLessThan(Math.log(config.vocab_size) - 0.8);
    expect(result.best!.loss).toBeLessThan(unigram - 0.05);
  } finally {
    await rm(out, { recursive: true });
  }
});
