/** Folders of the encoders from scripts/record/embedding.py. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** The recorded folder with that name: `bert`, `comet` or `unified`. */
export const recordedFolder = (name: string): string => join(fixtures, "embedding", name);

export const expectedFile = join(fixtures, "embedding", "expected.json");

/** A new folder with the tiny RoBERTa. Remove it with `remove`. */
export async function robertaFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-encoder-"));
  for (const name of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    await cp(join(fixtures, "unixcoder-tiny", name), join(folder, name));
  }
  await cp(join(fixtures, "embedding", "encoder.onnx"), join(folder, "onnx", "model.onnx"));
  return folder;
}

export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
