/** A small random model on disk, for tests that need one. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportOnnx } from "../../src/export/index.ts";
import { configOfSize, initialise, type SizeName, writeSafetensors } from "../../src/model/index.ts";
import { trainBpe } from "../../src/tokenize/index.ts";
import { Random } from "../../src/util/random.ts";

const PROGRAM = "def f(a, b):\n    return a + b\n";

export async function makeModel(size: SizeName = "nano"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-model-"));
  const tokenizer = trainBpe([PROGRAM, "for x in range(10):\n    print(x)\n"], {
    vocabSize: 300,
  });
  const config = configOfSize(size, 300);
  const tensors = initialise(config, 1);
  const random = new Random(2);
  for (const { data } of tensors.values())
    for (let i = 0; i < data.length; i++) data[i] = data[i]! + 0.05 * random.normal();
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeSafetensors(join(folder, "model.safetensors"), tensors);
  // One row to find the int8 scales, because the default rows would take most of the time.
  await exportOnnx(folder, { rows: [{ candidate: PROGRAM, reference: PROGRAM }] });
  return folder;
}
