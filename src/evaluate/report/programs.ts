/** The sections of a report that show programs: the worst disagreements, and pairs of one task as case studies. */

import {
  type CodePair,
  codeHtml,
  codePairHtml,
  escapeHtml,
  foldHtml,
  proseHtml,
  sidesHtml,
  tableHtml,
} from "../../report/html.ts";
import { counted } from "../../util/counted.ts";
import { Random } from "../../util/random.ts";
import type { Usable, UsableColumn, UsableRow } from "../measure/usable.ts";

const nameOf = ({ sample_id, task_id }: UsableRow): string =>
  sample_id.includes(task_id) ? sample_id : `${task_id} ${sample_id}`;

/** The least distance between score and PassRatio of a listed program. A smaller one is no disagreement. */
const LEAST_GAP = 0.2;

/** The programs whose score is furthest from PassRatio, one per task, so that no task fills the list. */
export function disagreementsHtml({ name, scores }: UsableColumn, data: Usable, worst: number): string {
  const { rows, passRatios, tasks } = data;
  const gap = (i: number): number => scores[i]! - passRatios[i]!;
  const furthest = (sign: 1 | -1): number[] =>
    tasks
      .map((task) => task.reduce((a, b) => (sign * gap(b) > sign * gap(a) ? b : a)))
      .filter((i) => sign * gap(i) >= LEAST_GAP - 1e-9) // .7 - .5 is less than .2 in floating point
      .sort((a, b) => sign * (gap(b) - gap(a)))
      .slice(0, worst);
  const pair = (i: number): CodePair => {
    const row = rows[i]!;
    const error = row.first_error === null ? "" : `; first error: ${row.first_error}`;
    const tests = row.n_tests === 0 ? "" : ` (${row.n_passed} of ${counted(row.n_tests, "test")})`;
    const passed = `PassRatio ${row.pass_ratio.toFixed(3)}${tests}`;
    return {
      title: nameOf(row),
      note: `score ${scores[i]!.toFixed(3)}, ${passed}${error}`,
      description: row.description,
      left: { title: `candidate by ${row.made_by}`, code: row.candidate },
      right: { title: "reference", code: row.reference ?? "(no reference)" },
    };
  };
  const list = (title: string, what: string, chosen: readonly number[]): string =>
    chosen.length === 0
      ? ""
      : `<h3>${title}</h3><p class="muted">${what}</p>${chosen.map((i, k) => codePairHtml(pair(i), k === 0)).join("\n")}`;
  const [high, low] = [furthest(1), furthest(-1)];
  const none = high.length + low.length === 0 ? " There is none." : "";
  return `<section><h2>Worst disagreements of ${escapeHtml(name)}</h2>
<p class="muted">The programs whose score is furthest from their PassRatio, by at least ${LEAST_GAP}, one per task.${none} Marked lines are not in the other program.</p>
${list("Scored too high", "They pass fewer tests than their score says.", high)}
${list("Scored too low", "They pass more tests than their score says.", low)}</section>`;
}

const CASES = 3;
/** Maximum number of random pairs to try per task. */
const TRIES = 200;

/**
 * Pairs of programs of one task of which one is better, with the scores of each column: the case study of CodeScore (Dong et al.
 * 2023, figure 5). Drawn at random among the pairs whose order the columns disagree on, so no column is favoured.
 */
export function casesHtml(columns: readonly UsableColumn[], data: Usable): string {
  const cases = drawCases(columns, data);
  if (cases.length === 0) return "";
  return `<section><h2>Pairs that the metrics order differently</h2>
<p class="muted">Pairs of programs of one task, drawn at random. The second program passes more tests; <em>right</em>: the metric gives it the higher score.</p>
${cases.map(([worse, better], k) => caseHtml(columns, data, worse, better, k === 0)).join("\n")}</section>`;
}

function drawCases(columns: readonly UsableColumn[], { tasks, passRatios }: Usable): [worse: number, better: number][] {
  const random = new Random(1);
  const drawPair = (task: readonly number[]): [number, number] | undefined => {
    for (let k = 0; k < TRIES; k++) {
      const [a, b] = [random.pick(task), random.pick(task)];
      if (passRatios[a] === passRatios[b]) continue;
      const [worse, better] = passRatios[a]! < passRatios[b]! ? [a, b] : [b, a];
      const right = columns.filter(({ scores }) => scores[better]! > scores[worse]!).length;
      if (right > 0 && right < columns.length) return [worse, better];
    }
    return undefined;
  };
  const drawn: [number, number][] = [];
  for (const task of random.shuffle(tasks)) {
    if (drawn.length === CASES) break;
    const pair = drawPair(task);
    if (pair) drawn.push(pair);
  }
  return drawn;
}

function caseHtml(
  columns: readonly UsableColumn[],
  { rows }: Usable,
  worse: number,
  better: number,
  open: boolean,
): string {
  const [first, second] = [rows[worse]!, rows[better]!];
  const verdict = (a: number, b: number): string => (a < b ? "right" : a > b ? "wrong" : "tie");
  const table = {
    columns: [{ label: "metric" }, { label: "first" }, { label: "second" }, { label: "order" }],
    rows: [
      ["PassRatio", first.pass_ratio, second.pass_ratio, ""],
      ...columns.map(({ name, scores }) => [
        name,
        scores[worse]!,
        scores[better]!,
        verdict(scores[worse]!, scores[better]!),
      ]),
    ],
  };
  const reference = first.reference ?? second.reference;
  const body = [
    first.description ? foldHtml("Description", "", proseHtml(first.description), false) : "",
    tableHtml(table, "Scores of both programs"),
    sidesHtml(
      { title: `first: ${first.sample_id} by ${first.made_by}`, code: first.candidate },
      { title: `second: ${second.sample_id} by ${second.made_by}`, code: second.candidate },
    ),
    reference === null ? "" : codeHtml({ title: "reference", code: reference }),
  ];
  return foldHtml(first.task_id, undefined, body.join("\n"), open);
}
