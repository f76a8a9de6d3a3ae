/**
 * Sample files: generated programs as `{task_id, completion | solution | code}` rows (human-eval, EvalPlus and the
 * project's own data). Labels that a row carries are not read: programs are labelled by executing them.
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, Sample } from "../types.ts";
import { optionalString } from "../util/jsonl.ts";
import { taskId } from "./fields.ts";
import { allPlaces } from "./paths.ts";
import { type Row, readRows } from "./rows.ts";

/**
 * The samples of files and folders in order. `solution` wins over `code` over `completion`; a row without `sample_id` is
 * `task_id#index`, the index counting the task's rows from 0 over all files.
 * Throws `CodescoreError("input")` that names file and line for a row that is no sample.
 */
export async function* readSamples(
  paths: readonly string[],
  problems?: ReadonlyMap<string, Problem>,
): AsyncGenerator<Sample> {
  const seen = new Map<string, number>();
  for (const { path, kind } of await allPlaces(paths)) {
    if (kind === "apps")
      throw new CodescoreError("input", `${path}: expected sample files (*.jsonl), got an APPS problem`);
    for await (const row of readRows(path)) {
      const id = knownId(taskId(row, "MBPP"), problems);
      const index = seen.get(id) ?? 0;
      seen.set(id, index + 1);
      yield sampleOf(row, id, index);
    }
  }
}

/** A bare number is MBPP's, or else stands for the one problem given whose id ends in it (`APPS/0`, `HumanEval/0`). */
function knownId(id: string, problems: ReadonlyMap<string, Problem> | undefined): string {
  const number = /^MBPP(\/\d+)$/.exec(id)?.[1];
  if (number === undefined || problems === undefined || problems.has(id)) return id;
  const ending = [...problems.keys()].filter((other) => other.endsWith(number));
  return ending.length === 1 ? ending[0]! : id;
}

function sampleOf(row: Row, id: string, index: number): Sample {
  const program = optionalString(row, "solution", "code");
  const text = program ?? optionalString(row, "completion");
  if (text === null) {
    const scored = row.value.generated_code !== undefined ? " (these are CodeScore's rows: see `codescore score`)" : "";
    const fields = Object.keys(row.value).slice(0, 12).join(", ") || "none";
    throw new CodescoreError(
      "input",
      `${row.where}: expected a string field \`solution\`, \`code\` or \`completion\`; fields here: ${fields}${scored}`,
    );
  }
  const sampleId = row.value.sample_id;
  return {
    taskId: id,
    sampleId: typeof sampleId === "number" ? `${sampleId}` : (optionalString(row, "sample_id") ?? `${id}#${index}`),
    kind: program === null ? "completion" : "program",
    text,
    madeBy: optionalString(row, "made_by", "madeBy", "model") ?? "unknown",
  };
}

/** The whole program of a sample: a completion continues the problem's prompt. */
export const assembleProgram = (problem: Problem, sample: Sample): string =>
  sample.kind === "completion" ? problem.prompt + sample.text : sample.text;
