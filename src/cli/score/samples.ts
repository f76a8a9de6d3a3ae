/** `codescore score --problems P --samples S`: each sample as a row, beside the reference and the description of its problem. */
import { assembleProgram, readProblems, readSamples } from "../../problems/index.ts";
import { brokenRow, type InputRow } from "../../score/index.ts";
import type { Problem, Sample } from "../../types.ts";

/**
 * The samples in order, all of a problem beside its first reference. A sample of a task that no file has, or whose problem has nothing to
 * score against, is a row with an error. Throws as `readProblems` and `readSamples`.
 */
export async function* readSampleInputs(
  problemPaths: readonly string[],
  samplePaths: readonly string[],
): AsyncGenerator<InputRow> {
  const problems = await readProblems(problemPaths);
  for await (const sample of readSamples(samplePaths, problems)) yield inputOf(sample, problems.get(sample.taskId));
}

function inputOf(sample: Sample, problem: Problem | undefined): InputRow {
  const { sampleId: id, taskId, text } = sample;
  if (problem === undefined) return brokenRow(id, `no problem has the id ${taskId}`, taskId);
  const { references, description, entryPoint } = problem;
  return {
    id,
    candidate: text.trim() === "" ? "" : assembleProgram(problem, sample), // a prompt alone is no answer
    reference: references[0] ?? null,
    description: description === "" ? null : description,
    task: taskId,
    taskId,
    ...(entryPoint !== null && { entryPoint }),
    where: null,
  };
}
