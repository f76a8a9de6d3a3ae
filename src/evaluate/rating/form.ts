/** Writes a rating sheet as forms for people (an HTML page that works offline, and a CSV file) and as a key. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml, foldHtml, proseHtml, sidesHtml } from "../../report/html.ts";
import { page } from "../../report/page.ts";
import { packageRoot } from "../../util/files.ts";
import type { RatingItem, RatingSheet } from "./draw.ts";

/** The best rating of the paper's scale of whole numbers: "0 denotes poor and 5 signifies excellent". */
export const BEST_RATING = 5;

/** Prints a score with the same number of digits for every metric, so that digits do not reveal the metric. */
const shown = (score: number): string => Math.min(1, Math.max(0, score)).toFixed(2);

const TASK = `Each program below has several scores between 0 and 1, for how much of its task it does or how similar it is to a correct
program. The form does not show which metric gave a score, and the order of the scores differs between programs.
Rate every score: how reasonable is it, given how much of its task the program does? 0 is poor, ${BEST_RATING} is excellent.
You may look up what you do not know.`;

/** The page with every program and its scores. Progress stays in the browser; the ratings are downloaded as a CSV file. */
export async function ratingPage({ id, items }: RatingSheet): Promise<string> {
  const script = await readFile(join(packageRoot, "src", "evaluate", "rating", "form.mjs"), "utf8");
  const total = items.reduce((sum, { scores }) => sum + scores.length, 0);
  return page({
    title: "How good are these scores?",
    head: `<p>${escapeHtml(TASK)}</p>
<noscript><p><strong>This page needs scripts. Without them, fill in the CSV file that came with it.</strong></p></noscript>`,
    main: `<form data-sheet="${id}" autocomplete="off">
<p><label>Your name or a pseudonym: <input id="rater" type="text" maxlength="80"></label>
<button type="button" id="start-over">Start over</button></p>
${items.map((item) => itemHtml(item, items.length)).join("\n")}
<div class="bar">
<div><progress id="progress" max="${total}" value="0" aria-label="Scores rated"></progress> <span id="count" class="muted"></span></div>
<div><button type="button" id="next">Next unrated</button> <button type="button" id="download" class="main">Download ratings</button></div>
<p id="message" role="status"></p>
</div>
</form>`,
    style,
    script: `\n${script}`,
  });
}

function itemHtml({ number, row, scores }: RatingItem, of: number): string {
  const title = `Program ${number} of ${of}`;
  const programs = sidesHtml(
    { title: "the program", code: row.candidate },
    { title: "a correct program", code: row.reference ?? "(not available)" },
  );
  const job = row.description ? foldHtml("What it should do", "", proseHtml(row.description), true) : "";
  return `<section><h2>${title}</h2>${job}${programs}${scores.map((score) => scoreHtml(number, score)).join("\n")}</section>`;
}

function scoreHtml(item: number, { letter, score }: RatingItem["scores"][number]): string {
  const choices = Array.from({ length: BEST_RATING + 1 }, (_, rating) => {
    const name = rating === 0 ? " poor" : rating === BEST_RATING ? " excellent" : "";
    return `<label><input type="radio" name="${item}${letter}" value="${rating}"> ${rating}<small>${name}</small></label>`;
  });
  return `<fieldset data-item="${item}" data-letter="${letter}"><legend>Score ${letter}: <b>${shown(score)}</b></legend><div class="choices">${choices.join("")}</div></fieldset>`;
}

const style = `
body { padding-bottom: 9rem; }
fieldset { border: 1px solid var(--line); border-radius: 10px; background: var(--card); margin: .7rem 0 0; padding: .2rem .7rem .6rem; min-width: 0; }
fieldset.rated { border-color: var(--accent); }
legend { padding: 0 .3rem; }
.choices { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); max-width: 44rem; }
.choices label { display: block; text-align: center; padding: .55rem 0; cursor: pointer; border-radius: 7px; }
.choices label:hover { background: var(--page); }
.choices small { display: block; color: var(--muted); font-size: .7rem; min-height: 1.1em; }
input[type=radio] { width: 1.2rem; height: 1.2rem; vertical-align: -.2rem; accent-color: var(--accent); }
input[type=text] { font: inherit; padding: .4rem .6rem; border: 1px solid var(--muted); border-radius: 7px; background: var(--card); color: inherit; max-width: 100%; }
button { font: inherit; padding: .5rem .9rem; border: 1px solid var(--muted); border-radius: 7px; background: var(--card); color: inherit; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--card); font-weight: 600; }
.bar { position: fixed; inset: auto 0 0; background: var(--page); border-top: 1px solid var(--line); padding: .6rem clamp(.9rem, 3vw, 2.5rem); display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center; }
.bar p { margin: 0; flex-basis: 100%; }
.bar p:empty { display: none; }
@media print { .bar { display: none; } }
`;

/** One line per score to rate, with the programs on the first line of each item. Escapes formulas, so that spreadsheets do not run them. */
export async function ratingCsv({ id, items }: RatingSheet): Promise<string> {
  const { stringify } = await import("csv-stringify/sync");
  const lines = items.flatMap(({ number, row, scores }) =>
    scores.map(({ letter, score }, k) => {
      const programs = k === 0 ? [row.description ?? "", row.reference ?? "", row.candidate] : ["", "", ""];
      return [id, "", number, letter, "", shown(score), ...programs];
    }),
  );
  const columns = ["sheet", "rater", "item", "letter", "rating", "score", "description", "reference", "candidate"];
  return stringify([columns, ...lines], { escape_formulas: true });
}

/** Which metric gave which score. Raters must not see it. */
export interface RatingKey {
  readonly sheet: string;
  readonly seed: number;
  readonly metrics: RatingSheet["metrics"];
  readonly items: readonly {
    readonly item: number;
    readonly task_id: string;
    readonly sample_id: string;
    readonly scores: RatingItem["scores"];
  }[];
}

export const ratingKey = ({ id, seed, metrics, items }: RatingSheet): RatingKey => ({
  sheet: id,
  seed,
  metrics,
  items: items.map(({ number, row, scores }) => ({
    item: number,
    task_id: row.task_id,
    sample_id: row.sample_id,
    scores,
  })),
});
