/** `codescore estimate --samples`: reads all samples, of which the labelled rows are a part. */
import { CodescoreError } from "../../errors.ts";
import type { KnownSample } from "../../evaluate/index.ts";
import { readProblems, readSampleRows } from "../../problems/index.ts";
import { type JsonLine, readJsonLines } from "../../util/jsonl.ts";

/**
 * The samples of a file or folder, in any format that `score --samples` reads. JSON lines with `candidate`, such as those of
 * `score --input`, and the output of `codescore score` count too, if they have `task_id` and `id`. Problems, if given, resolve ids that
 * harnesses write in another way. Throws `CodescoreError("input")` for a row that is no sample.
 */
export async function readAllSamples(
  paths: readonly string[],
  problemPaths?: readonly string[],
): Promise<KnownSample[]> {
  const samples: KnownSample[] = [];
  const problems = problemPaths && (await readProblems(problemPaths));
  for (const path of paths) {
    if (await isOfRows(path)) {
      for await (const line of readJsonLines(path)) samples.push(ofRow(line));
      continue;
    }
    for await (const { sample, fields } of readSampleRows([path], problems)) {
      const { taskId: task_id, sampleId: sample_id, text } = sample;
      samples.push({ task_id, sample_id, text, isCounted: (fields.sample_id ?? null) === null });
    }
  }
  if (samples.length > 0) return samples;
  throw new CodescoreError("input", `${paths.join(", ")}: expected samples, got none`);
}

/** Whether the first line is a row of programs or of scores, and not a sample. */
async function isOfRows(path: string): Promise<boolean> {
  if (!/\.jsonl(?:\.gz)?$/.test(path)) return false;
  for await (const { value } of readJsonLines(path)) return "candidate" in value || "score" in value;
  return false;
}

function ofRow({ value, where }: JsonLine): KnownSample {
  const { task_id: task, candidate } = value;
  const id = value.sample_id ?? value.id;
  if (typeof task === "string" && (typeof id === "string" || typeof id === "number")) {
    const text = typeof candidate === "string" ? candidate : null;
    return { task_id: task, sample_id: String(id), text, isCounted: false };
  }
  throw new CodescoreError("input", `${where}: expected \`task_id\` and \`id\`, which tell which labels are the row's`);
}
