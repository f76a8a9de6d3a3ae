/** A small random model on disk, for tests that need one. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { exportOnnx } from "../../src/export/index.ts";
import { configOfSize, initialise, type SizeName, writeSafetensors } from "../../src/model/index.ts";
import { trainBpe } from "../../src/tokenize/index.ts";
import { Random } from "../../src/util/random.ts";

const PROGRAM = "def f(a, b):\n    return a + b\n";

/** The files of the models that were made in this process. Most test files want one, and making it takes longest. */
const made = new Map<SizeName, Promise<ReadonlyMap<string, Buffer>>>();

/** A folder of its own, which the test may change and has to remove. */
export async function makeModel(size: SizeName = "nano"): Promise<string> {
  const files = made.get(size) ?? make(size);
  made.set(size, files);
  const folder = await newFolder();
  for (const [name, bytes] of await files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "codescore-model-"));

async function make(size: SizeName): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await newFolder();
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
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(async (path) => [relative(folder, path), await readFile(path)] as const);
  const found = new Map(await Promise.all(read));
  await rm(folder, { recursive: true });
  return found;
}
