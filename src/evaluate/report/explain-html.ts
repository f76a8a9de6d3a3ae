/**
 * Shows the effect of each line on a score, as one self-contained HTML file: candidates beside their references, lines tinted by
 * their effect. All data is escaped. The page's policy forbids scripts and requests.
 */

import { describeBehaviour, showCounterexample } from "../../behaviour/index.ts";
import { escapeHtml, inlineHtml, paragraphsHtml } from "../../report/html.ts";
import { page } from "../../report/page.ts";
import { CONCLUSIONS, type Explanation, type LineEffect, type SourceLine } from "../../score/index.ts";
import type { Behaviour, Score } from "../../types.ts";

export interface Explained extends Explanation {
  readonly name: string;
  readonly candidate: string;
  readonly reference?: string | null;
  readonly description?: string | null;
  readonly score: Pick<Score, "score" | "exec" | "pass" | "low" | "high" | "behaviour" | "conclusion" | "reason">;
}

/** Minimum effect of a tinted line. */
const LEAST = 0.005;
const TINTS = 4;

export function renderExplanations(title: string, explained: readonly Explained[]): string {
  return page({
    title,
    head: `<p class="muted">Score: the predicted share of tests that the program passes, with its interval. Exec: the probability that it gives an answer on every test.
Pass: the probability that it passes every test.</p>
<p class="muted">The number next to a statement is what it adds to the score of the text, which is the score without --run: the statement was left out and the rest scored again.
A <span class="cost-4">negative</span> number lowers the score, a <span class="gain-4">positive</span> one raises it. The darkest colour is the largest
effect of the same program. Lines that <span class="differs">differ</span> from the reference
(names of variables are ignored) are marked on both sides: a line may raise the score and still be wrong.</p>`,
    main: explained.map(sectionHtml).join("\n"),
  });
}

function sectionHtml({
  name,
  candidate,
  reference,
  description,
  score,
  findings,
  lines,
  differences,
}: Explained): string {
  const { low, high } = score;
  const range = low === undefined || high === undefined ? "" : ` (${low.toFixed(3)} to ${high.toFixed(3)})`;
  const [ours, theirs] = (["candidate", "reference"] as const).map((side) =>
    linesApart(differences.map((difference) => difference[side])),
  );
  const sides = [
    figureHtml("candidate", effectLines(candidate, lines, ours!)),
    ...(reference
      ? [
          figureHtml(
            "reference",
            linesOf(reference).map((text, i) => lineHtml(text, i, null, theirs!.has(i + 1) ? "differs" : undefined)),
          ),
        ]
      : []),
  ];
  return `<section><h2>${escapeHtml(name)}</h2>
<p>${verdictHtml(score)}score <b>${score.score.toFixed(3)}</b>${range}, exec ${score.exec.toFixed(3)}${passHtml(score)}</p>
${score.behaviour ? behaviourHtml(score.behaviour) : ""}
${findings.length > 0 ? `<ul>${findings.map(findingHtml).join("")}</ul>` : ""}
${description ? `<details class="pair"><summary class="name">description</summary><div class="inside">${paragraphsHtml(description, escapeHtml)}</div></details>` : ""}
<div class="sides wide">${sides.join("")}</div></section>`;
}

function verdictHtml({ conclusion, reason, behaviour }: Explained["score"]): string {
  if (conclusion === undefined) return "";
  // Running shows its reason in full below.
  const why = reason === undefined || behaviour !== undefined ? "" : ` (${inlineHtml(reason)})`;
  return `<b class="${conclusion}">${CONCLUSIONS[conclusion]}</b>${why}: `;
}

/** As in the table: a program that fails for certain has no use for the probability that it passes. */
const passHtml = ({ pass, conclusion }: Explained["score"]): string =>
  pass === undefined || conclusion === "fails" ? "" : `, pass ${pass.toFixed(3)}`;

function behaviourHtml(behaviour: Behaviour): string {
  const { counterexample } = behaviour;
  const shown = counterexample ? `<br><code>${escapeHtml(showCounterexample(counterexample))}</code>` : "";
  return `<p>${inlineHtml(describeBehaviour(behaviour))}${shown}</p>`;
}

const findingHtml = ({ line, what }: Explanation["findings"][number]): string =>
  `<li>${line === null ? "" : `line ${line}: `}${inlineHtml(what)}</li>`;

const figureHtml = (title: string, lines: readonly string[]): string =>
  `<figure><figcaption>${title}</figcaption><pre tabindex="0" role="group" aria-label="${title}"><code>${lines.join("")}</code></pre></figure>`;

/** The numbers of the lines that the statements occupy. */
const linesApart = (statements: readonly (SourceLine | null)[]): ReadonlySet<number> =>
  new Set(statements.flatMap((one) => (one === null ? [] : one.text.split("\n").map((_, i) => one.line + i))));

/** @param apart lines that differ from the reference. They are never shown as positive, no matter what they add to the score. */
function effectLines(code: string, effects: readonly LineEffect[], apart: ReadonlySet<number>): string[] {
  const most = effects.reduce((sum, { effect }) => Math.max(sum, Math.abs(effect)), LEAST);
  const firsts = new Map(effects.map((one) => [one.line, one.effect]));
  const tints = new Map<number, string>();
  for (const { line, text, effect } of effects) {
    if (Math.abs(effect) < LEAST) continue;
    const tint = `${effect < 0 ? "cost" : "gain"}-${Math.ceil((TINTS * Math.abs(effect)) / most)}`;
    text.split("\n").forEach((_, i) => void tints.set(line + i, tint));
  }
  for (const line of apart) if (!tints.get(line)?.startsWith("cost")) tints.set(line, "differs");
  return linesOf(code).map((text, i) => {
    const effect = firsts.get(i + 1);
    return lineHtml(text, i, effect === undefined ? "" : signed(effect), tints.get(i + 1));
  });
}

const linesOf = (code: string): string[] => code.replace(/\n$/, "").split("\n");

/** @param effect null leaves out the column of effects */
function lineHtml(text: string, i: number, effect: string | null, tint: string | undefined): string {
  const gutter = `${String(i + 1).padStart(4)}${effect === null ? "" : effect.padStart(8)}`;
  return `<span${tint === undefined ? "" : ` class="${tint}"`}><i${effect === null ? "" : ' class="effect"'}>${gutter}  </i>${escapeHtml(text)}\n</span>`;
}

/** A change of score with its sign and three digits. The minus is U+2212, which is as wide as the plus. */
const signed = (effect: number): string => {
  const digits = Math.abs(effect).toFixed(3);
  return digits === "0.000" ? digits : `${effect < 0 ? "−" : "+"}${digits}`;
};
