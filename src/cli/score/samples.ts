/** `codescore score --problems P --samples S`: each sample becomes a row with the reference and the description of its problem. */
import { CodescoreError } from "../../errors.ts";
import { assembleProgram, readProblems, readSamples } from "../../problems/index.ts";
import { brokenRow, type InputRow } from "../../score/index.ts";
import type { Problem, Sample } from "../../types.ts";
import { MOST_BROKEN } from "./input.ts";

/**
 * The samples in order, each with the first reference of its problem. These become rows with an error: a row that is not a sample, a
 * sample of an unknown task, and a sample whose problem has nothing to score against. Throws like `readProblems`, and
 * `CodescoreError("input")` for files in which no row, or none of the first 20, is a sample of a known task.
 */
export async function* readSampleInputs(
  problemPaths: readonly string[],
  samplePaths: readonly string[],
): AsyncGenerator<InputRow> {
  const problems = await readProblems(problemPaths);
  const broken: CodescoreError[] = []; // errors since the last valid sample
  /** Rows of samples before the first one of a known task. */
  const unknown: InputRow[] = [];
  let index = 0;
  let isOfSamples = false;
  let isOfTasks = false;
  const brokenRows = (): InputRow[] => broken.splice(0).map(({ message }) => brokenRow(index++, message));
  const onBroken = (error: CodescoreError): void => {
    if (broken.push(error) === MOST_BROKEN && !isOfSamples) throw broken[0]!;
  };
  for await (const sample of readSamples(samplePaths, problems, onBroken)) {
    isOfSamples = true;
    isOfTasks ||= problems.has(sample.taskId);
    const rows = [...brokenRows(), inputOf(sample, problems)];
    index += 1;
    if (isOfTasks) yield* [...unknown.splice(0), ...rows];
    else unknown.push(...rows);
    if (unknown.length >= MOST_BROKEN) break;
  }
  if (unknown.length > 0) throw ofNoTask(unknown, problemPaths);
  if (!isOfSamples && broken.length > 0) throw broken[0]!;
  yield* brokenRows();
}

function ofNoTask(rows: readonly InputRow[], problemPaths: readonly string[]): CodescoreError {
  const { error } = rows.find(({ task }) => task !== "")!;
  const files = problemPaths.join(", ");
  return new CodescoreError("input", `expected samples of the problems in ${files}: ${error!.message}`);
}

/** The row to score for a sample. */
export function inputOf(sample: Sample, problems: ReadonlyMap<string, Problem>): InputRow {
  const { sampleId: id, taskId, text } = sample;
  const problem = problems.get(taskId);
  if (problem === undefined) {
    const [known] = problems.keys();
    return brokenRow(id, `no problem has the id ${taskId}; one of them is ${known}`, taskId);
  }
  const { references, description, entryPoint } = problem;
  return {
    id,
    candidate: text.trim() === "" ? "" : assembleProgram(problem, sample), // a prompt alone is not an answer
    reference: references[0] ?? null,
    description: description === "" ? null : description,
    task: taskId,
    taskId,
    ...(entryPoint !== null && { entryPoint }),
    where: null,
  };
}
