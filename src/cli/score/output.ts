/** Output formats of `codescore score`: a table for people; JSON lines, JSON and CSV for programs. */
import { fitCounterexample, shortCounterexample } from "../../behaviour/fit.ts";
import { describeBehaviour, showCounterexample } from "../../behaviour/show.ts";
import { CONCLUSIONS, isDecided } from "../../score/conclusion.ts";
import type { OutputRow, Rank, ScoreResult, Summary } from "../../score/index.ts";
import { outputObject } from "../../score/output-row.ts";
import { EMPTY_NOTE } from "../../score/rows.ts";
import type { Behaviour, Score } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { writeJsonLines, writeText } from "../../util/jsonl.ts";
import type { OutKind, OutRow } from "../../util/row-stream.ts";

export const OUTPUT_KINDS = ["table", "jsonl", "json", "csv"] as const;

export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** The format for a file name's ending, or null. */
export function outputKindOf(path: string): OutputKind | null {
  const ending = /\.(jsonl|json|csv)(?:\.gz)?$/.exec(path)?.[1];
  return (ending as OutputKind | undefined) ?? null;
}

/** Writes the rows in order; `-` is stdout. */
export async function writeScores(
  path: string,
  kind: OutputKind,
  rows: AsyncIterable<OutputRow>,
  summary: Summary,
): Promise<void> {
  if (kind === "jsonl") return writeJsonLines(path, mapped(rows, outputObject));
  return writeText(
    path,
    kind === "csv" ? toCsv(rows) : kind === "json" ? toJson(rows, summary) : toTable(rows, path === "-", widthOf(path)),
  );
}

/** The width of the terminal, if the output goes to one. */
const widthOf = (path: string): number =>
  (path === "-" && process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;

async function* mapped<A, B>(items: AsyncIterable<A>, change: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield change(item);
}

/** `{rows, summary}`: the summary comes last, because its counts are known only then. */
async function* toJson(rows: AsyncIterable<OutputRow>, summary: Summary): AsyncGenerator<string> {
  let before = '{"rows":[\n';
  for await (const row of rows) {
    yield `${before}${JSON.stringify(outputObject(row))}`;
    before = ",\n";
  }
  yield `${before === ",\n" ? "\n" : before}],\n"summary":${JSON.stringify(summary)}}\n`;
}

/** The columns are always the same, also if some are empty, so that files of several runs can be concatenated. */
const COLUMNS = {
  id: ({ id }) => (typeof id === "string" ? id : JSON.stringify(id)),
  task_id: ({ task }) => task,
  rank: ({ rank }) => rank?.rank,
  tied: ({ rank }) => rank?.tied,
  score: ({ result }) => ("error" in result ? undefined : result.score),
  exec: ({ result }) => ("error" in result ? undefined : result.exec),
  low: ({ result }) => ("error" in result ? undefined : result.low),
  high: ({ result }) => ("error" in result ? undefined : result.high),
  conclusion: ({ result }) => ("error" in result ? undefined : result.conclusion),
  reason: ({ result }) => ("error" in result ? undefined : result.reason),
  consensus: ({ result }) => ("error" in result ? undefined : result.consensus),
  pass: ({ result }) => ("error" in result ? undefined : result.pass),
  agree: ({ result }) => behaviourOf(result)?.agree ?? undefined,
  inputs: ({ result }) => behaviourOf(result)?.inputs,
  examples_passed: ({ result }) => behaviourOf(result)?.examples?.passed,
  examples: ({ result }) => behaviourOf(result)?.examples?.total,
  samples: ({ result }) => behaviourOf(result)?.samples ?? undefined,
  counterexample: ({ result }) => shownCounterexample(result),
  abstained: ({ result }) => ("error" in result ? undefined : Number(result.abstained ?? false)),
  format: ({ result }) => ("error" in result ? undefined : result.format),
  cut_candidate: ({ result }) => ("error" in result ? undefined : (result.cut?.candidate ?? 0)),
  cut_reference: ({ result }) => ("error" in result ? undefined : (result.cut?.reference ?? 0)),
  cut_description: ({ result }) => ("error" in result ? undefined : (result.cut?.description ?? 0)),
  signature: ({ result }) => ("error" in result ? undefined : result.signature),
  notes: ({ result }) => ("error" in result ? undefined : result.notes?.join("; ")),
  candidate: ({ candidate }) => candidate,
  error: ({ result }) => ("error" in result ? result.error.message : undefined),
} satisfies Record<string, (row: OutputRow) => string | number | undefined>;

type Column = keyof typeof COLUMNS;

const TEXTS: readonly Column[] = [
  ...(["id", "conclusion", "reason", "counterexample"] as const),
  ...(["format", "signature", "notes", "error"] as const),
];
const INTEGERS: readonly Column[] = [
  ...(["inputs", "examples_passed", "examples", "abstained"] as const),
  ...(["cut_candidate", "cut_reference", "cut_description"] as const),
];

/** Columns of ranked and best rows only. */
const RANKED: readonly Column[] = ["task_id", "rank", "tied", "candidate"];

/** The columns of unranked rows, and the code of an error. */
export const workerColumns: Readonly<Record<string, OutKind>> = {
  ...Object.fromEntries(
    (Object.keys(COLUMNS) as Column[])
      .filter((name) => !RANKED.includes(name))
      .map((name) => [name, TEXTS.includes(name) ? "text" : INTEGERS.includes(name) ? "integer" : "number"]),
  ),
  error_code: "text",
};

/** A row in the form that a worker writes. */
export const workerRow = (row: OutputRow): OutRow => ({
  cells: {
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(row)])),
    error_code: "error" in row.result ? row.result.error.code : undefined,
  },
  line: JSON.stringify(outputObject(row)),
});

const behaviourOf = (result: ScoreResult): Behaviour | undefined => ("error" in result ? undefined : result.behaviour);

function shownCounterexample(result: ScoreResult): string | undefined {
  const found = behaviourOf(result)?.counterexample;
  return found ? showCounterexample(found) : undefined;
}

async function* toCsv(rows: AsyncIterable<OutputRow>): AsyncGenerator<string> {
  const { stringify } = await import("csv-stringify/sync");
  const line = (cells: readonly (string | number | undefined)[]): string => stringify([[...cells]]);
  yield line(Object.keys(COLUMNS));
  for await (const row of rows) yield line(Object.values(COLUMNS).map((cell) => cell(row)));
}

const CUT_NOTE = "counterexamples are cut to the width of the terminal; --explain or --as jsonl shows them whole";

/**
 * For people: one line per row, grouped by task if there are several. @param terminal its width, to which counterexamples are cut, unless
 * rows are explained
 */
export async function* toTable(
  rows: AsyncIterable<OutputRow>,
  color: boolean,
  terminal = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const all: OutputRow[] = [];
  for await (const row of rows) all.push(row);
  const width = all.reduce((most, row) => Math.max(most, name(row).length), 0);
  const several = all.some(({ rank }) => rank !== undefined) && new Set(all.map(({ task }) => task)).size > 1;
  let task: string | undefined;
  let isCut = false;
  for (const row of all) {
    if (several && row.task !== task) yield `${headingOf(row)}\n`;
    task = row.task;
    const rank = row.rank === undefined ? "" : `${showRank(row.rank).padEnd(4)}  `;
    yield `${rank}${name(row).padEnd(width)}  ${showResult(row.result)}\n`;
    const { result } = row;
    const { findings = [], lines, differences } = result;
    const behaviour = behaviourOf(result);
    if (behaviour) {
      const reason = "error" in result ? undefined : result.reason;
      const whole = showBehaviour(behaviour, reason);
      const shown = lines === undefined ? showBehaviour(behaviour, reason, terminal) : whole;
      isCut ||= shown !== whole;
      yield shown;
    }
    if (lines && differences) {
      const decided = !("error" in result) && isDecided(result);
      yield (await import("./explain.ts")).showExplanation({ findings, lines, differences }, color, decided);
    }
  }
  if (isCut) yield `${CUT_NOTE}\n`;
}

/** The heading of a task. A row without `task_id` has a hash for one (score/input-rows.ts). */
function headingOf({ task }: OutputRow): string {
  if (!task) return "(no task)";
  return /^[\da-f]{64}$/.test(task) ? "(a task without a task_id)" : task.replace(/\p{Cc}/gu, " ");
}

/** The id unchanged, unless it has control characters, which would act on the terminal. */
const name = ({ id }: OutputRow): string => (typeof id === "string" && !/\p{Cc}/u.test(id) ? id : JSON.stringify(id));

/** Ties are marked by `=`, as in sports results. */
const showRank = (rank: Rank | null): string => (rank === null ? "-" : `${rank.rank}${rank.tied > 1 ? "=" : ""}`);

/** One line for the results of the run, and one for the counterexample, each with the reason of the conclusion if that says more. */
function showBehaviour(behaviour: Behaviour, reason = "", width = Number.POSITIVE_INFINITY): string {
  const what = describeBehaviour(behaviour);
  const { counterexample } = behaviour;
  const lines = [`  ${reason.startsWith(what) ? reason : what}`];
  if (counterexample !== null) {
    const said = shortCounterexample(counterexample);
    const before = reason.endsWith(said) ? reason.slice(0, -said.length) : "";
    lines.push(fitCounterexample(counterexample, width, `  ${before}`));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The conclusion and its reason. If the candidate ran, `showBehaviour` prints the reason in its own line. */
function showConclusion({ conclusion, reason, behaviour }: Score): string {
  if (conclusion === undefined) return "";
  const why = behaviour === undefined && reason !== undefined ? ` (${reason.replace(/\p{Cc}/gu, " ")})` : "";
  return `${CONCLUSIONS[conclusion]}${why}`;
}

function showResult(result: ScoreResult): string {
  if ("error" in result) return `error: ${result.error.message}`;
  const { score, exec, low, high, pass, conclusion, abstained, consensus, cut, notes, behaviour } = result;
  // The reason of a conclusion says it, too.
  const said = (notes ?? []).filter(
    (note) => note !== EMPTY_NOTE || conclusion === undefined || behaviour !== undefined,
  );
  const tokens = cut === undefined ? 0 : cut.candidate + cut.reference; // descriptions are long and truncated by design
  return [
    `score ${score.toFixed(3)}`,
    low === undefined || high === undefined ? "" : `${low.toFixed(3)} to ${high.toFixed(3)}`,
    `exec ${exec.toFixed(3)}`,
    // A probability of passing would contradict the conclusion.
    pass === undefined || conclusion === "fails" ? "" : `pass ${pass.toFixed(3)}`,
    consensus === undefined ? "" : `consensus ${consensus.toFixed(3)}`,
    showConclusion(result),
    abstained ? "abstained" : "",
    tokens > 0 ? `${counted(tokens, "token")} cut` : "",
    said.length === 0 ? "" : `(${said.join("; ")})`,
  ]
    .filter(Boolean)
    .join("  ");
}
