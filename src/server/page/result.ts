/** Shows a row's answer: conclusion, bars, the interval in words, and the results of running it. */
import { CONCLUSIONS, isDecided } from "../../score/conclusion.ts";
import type { Behaviour, Score } from "../../types.ts";
import type { Explained } from "./api.ts";
import { element, inline } from "./dom.ts";
import { advice, behaviourInWords, counted, digits, intervalInWords, signed } from "./words.ts";

export interface ResultOptions {
  /** Share of programs whose interval contains the PassRatio. */
  readonly coverage: number;
  /** Whether the server runs candidates. */
  readonly canRun: boolean;
}

export function resultOf(row: Score, { coverage, canRun }: ResultOptions): Node[] {
  const { conclusion, reason, behaviour, low, high } = row;
  const shown: Node[] = [];
  if (conclusion !== undefined) {
    const verdict = element("p", `verdict ${conclusion}`, element("strong", "", sentence(CONCLUSIONS[conclusion])));
    if (reason !== undefined && behaviour === undefined)
      verdict.append(element("bdi", "", ...inline(sentence(reason))), ". ");
    verdict.append(advice(conclusion, canRun, behaviour));
    shown.push(verdict);
  }
  if (behaviour !== undefined) shown.push(ran(behaviour));
  shown.push(bars(row));
  if (low !== undefined && high !== undefined)
    shown.push(element("p", "", intervalInWords(low, high, coverage, conclusion)));
  if (row.abstained)
    shown.push(element("p", "", "The interval is wider than --abstain allows: do not rely on this score."));
  shown.push(details(row));
  return shown;
}

/** The explanation in words: faults, the lines that lower the score most, the number of differences. @param row the answer above it */
export function explanationOf({ findings, lines, differences }: Explained, row: Score): Node[] {
  const wasRun = row.behaviour !== undefined;
  const shown: Node[] = [];
  // The verdict already shows a single certain finding as its reason, unless the reason is about the run.
  const isSaid = !wasRun && findings.length === 1 && findings[0]!.certain;
  if (findings.length > 0 && !isSaid) {
    const items = findings.map(({ line, what }) =>
      element("li", "", ...inline(line === null ? what : `line ${line}: ${what}`)),
    );
    const title = findings.every(({ certain }) => certain) ? "It certainly fails:" : "Possible faults:";
    shown.push(element("p", "", title), element("ul", "", ...items));
  }
  const costly = lines.filter(({ effect }) => effect <= -0.0005).sort((a, b) => a.effect - b.effect);
  const most = costly.slice(0, 3).map(({ line, effect }) => `line ${line} (${signed(effect)})`);
  if (most.length > 0) {
    const what = wasRun ? "score of the text" : "score";
    shown.push(
      element(
        "p",
        "",
        `Lines that lower the ${what} the most: ${most.join(", ")}. An effect is the ${what} with the line, minus the score without it.`,
      ),
    );
  } else if (findings.length === 0 && differences.length === 0 && !isDecided(row)) {
    shown.push(element("p", "", "No line lowers the score by itself, which does not show that it is right."));
  }
  if (differences.length > 0) {
    shown.push(
      element("p", "", `It differs from the reference in ${counted(differences.length, "place")}, shown below.`),
    );
  }
  return shown;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Values between 0 and 1 as bars on a common scale. The interval is a band. */
function bars({ score, low, high, exec, pass, conclusion }: Score): Node {
  const bar = (label: string, value: number, inside: readonly HTMLElement[]): Node => {
    const drawn = element("dd", "bar", ...inside);
    drawn.setAttribute("aria-hidden", "true"); // the number beside it has the same information
    return element("div", "", element("dt", "", label), element("dd", "value", digits(value)), drawn);
  };
  const piece = (name: string, left: number, width: number): HTMLElement => {
    const made = element("i", name);
    made.style.setProperty("left", `${100 * left}%`);
    if (width > 0) made.style.setProperty("width", `${100 * width}%`);
    return made;
  };
  const to = (value: number): HTMLElement => piece("to", 0, value);
  const ofScore =
    low === undefined || high === undefined ? [to(score)] : [piece("band", low, high - low), piece("at", score, 0)];
  const list = element(
    "dl",
    "bars",
    bar("Score: predicted share of tests passed", score, ofScore),
    bar("Probability that it runs on every test", exec, [to(exec)]),
  );
  // A probability of passing would contradict the conclusion.
  if (pass !== undefined && conclusion !== "fails")
    list.append(bar("Probability that it passes every test", pass, [to(pass)]));
  return list;
}

/** The results of running it, with the counterexample. */
function ran(behaviour: Behaviour): Node {
  const { counterexample, reason } = behaviour;
  if (reason !== undefined) {
    return element(
      "div",
      "ran neutral",
      element("p", "", ...inline(`Not run: ${reason}. The score is based on the text alone.`)),
    );
  }
  const list = element("ul", "", ...behaviourInWords(behaviour).map((text) => element("li", "", text)));
  const isOpen = behaviour.source === null || counterexample?.unusual === true;
  const kind = isOpen ? "ran neutral" : counterexample ? "ran wrong" : "ran";
  const box = element("div", kind, element("p", "", "Running it showed that it"), list);
  if (counterexample) {
    const { input, expected, got } = counterexample;
    // Each text is isolated, so that right-to-left letters do not move the others.
    const [call, right, wrong] = [input, expected, got].map((text) => element("bdi", "", text));
    box.append(
      element(
        "p",
        "counterexample",
        call!,
        ": expected ",
        right!,
        ", got ",
        wrong!,
        counterexample.afterOtherCalls ? " (after other calls)" : "",
      ),
    );
    if (counterexample.unusual) box.append(element("p", "", "The task may not define the answer to this input."));
  }
  return box;
}

const LOOKED_AT = { ref: "reference", nl: "description", "ref+nl": "reference and description" } as const;

function details({ format, cut, notes, signature }: Score): Node {
  const list = element("dl", "");
  const add = (term: string, text: string, className = ""): void =>
    list.append(element("dt", "", term), element("dd", className, text));
  add("Compared with", LOOKED_AT[format]);
  const parts = Object.entries(cut ?? {}).filter(([, tokens]) => tokens > 0);
  if (parts.length > 0)
    add("Cut to fit", parts.map(([part, tokens]) => `${part} by ${counted(tokens, "token")}`).join(", "));
  if (notes !== undefined) add("Notes", notes.join("; "));
  add("Signature", signature, "signature");
  return element("details", "", element("summary", "", "How it was scored"), list);
}
