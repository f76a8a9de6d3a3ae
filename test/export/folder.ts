/** Small random models on disk, in all forms, that read programs unchanged. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportOnnx } from "../../src/export/index.ts";
import { configOfSize, initialise, type ModelConfig, writeSafetensors } from "../../src/model/index.ts";
import { trainBpe } from "../../src/tokenize/index.ts";
import { Random } from "../../src/util/random.ts";

/** Models with the head widths of the shipped sizes (32 and 64). */
export const SHAPES = {
  narrow: { hidden_size: 96, num_attention_heads: 3 },
  wide: { num_attention_heads: 1 },
} as const;
export type Shape = keyof typeof SHAPES;
export async function makeFolder(shape: Shape): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-forms-"));
  const small = configOfSize("nano", 300);
  const codescore = { ...small.codescore, normalise: "none", static_marks: shape === "wide" } as const;
  const config: ModelConfig = { ...small, ...SHAPES[shape], codescore };
  const tensors = initialise(config, 1);
  const random = new Random(2);
  for (const { data } of tensors.values()) {
    for (let i = 0; i < data.length; i++) data[i] = data[i]! + 0.05 * random.normal();
  }
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  const programs = ["def f(a, b):\n    return a + b\n", "for x in range(10):\n    print(x, end=' ')\n"];
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(trainBpe(programs, { vocabSize: 300 })));
  await writeSafetensors(join(folder, "model.safetensors"), tensors);
  await exportOnnx(folder);
  return folder;
}
