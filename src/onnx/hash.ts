/** The name of a model file in signatures. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { CodescoreError, messageOf } from "../errors.ts";
import { checkModelFile, exists, LARGEST } from "../util/files.ts";

/** Files next to the model in which exporters put the weights of large models. */
export const weightsBeside = (path: string): string[] => [".data", "_data"].map((ending) => path + ending);

/** Throws `CodescoreError("model")` if the file, or the weights next to it, are not regular files. */
export async function checkOnnxFiles(path: string): Promise<void> {
  for (const file of [path, ...weightsBeside(path)]) await checkModelFile(file, LARGEST.weights);
}

/** First 8 hexadecimal digits of the SHA-256 of a file and the weights next to it. Throws `CodescoreError("model")`. */
export async function shortHash(path: string): Promise<string> {
  await checkOnnxFiles(path);
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    for (const other of weightsBeside(path)) {
      if (await exists(other)) for await (const chunk of createReadStream(other)) hash.update(chunk as Buffer);
    }
  } catch (error) {
    throw new CodescoreError("model", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  return hash.digest("hex").slice(0, 8);
}
