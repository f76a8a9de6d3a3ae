/** The page's texts. Nothing here accesses the DOM. */
import type { Behaviour, Conclusion } from "../../types.ts";
import { counted } from "../../util/counted.ts";

/** `92%`, rounded down, because 99.9% of the inputs are not all of them. */
export const percent = (share: number): string => `${Math.floor(100 * share + 1e-9)}%`;

/** Three decimals. A value that rounds to zero has no sign. */
export const digits = (value: number): string => value.toFixed(3).replace(/^-(?=0\.0+$)/, "");

/** An effect with its sign; the minus is U+2212. A value that rounds to zero has no sign. */
export function signed(effect: number): string {
  const text = digits(Math.abs(effect));
  if (Number(text) === 0) return text;
  return `${effect < 0 ? "\u2212" : "+"}${text}`;
}

/** Explains the interval. @param coverage share of programs whose interval contains the share of tests passed */
export function intervalInWords(low: number, high: number, coverage: number, conclusion?: Conclusion): string {
  const [from, to] = [percent(low), `${Math.min(100, Math.ceil(100 * high - 1e-9))}%`];
  if (from === "0%" && to === "100%")
    return "It may pass any share of the tests: the score says little about this program.";
  // A program that fails one test may pass the others.
  const verb = conclusion === "fails" ? "may still" : "should";
  const share = to === "0%" ? "none" : `between ${from} and ${to}`;
  return `It ${to === "0%" ? "should" : verb} pass ${share} of the tests. Such an interval is right for ${percent(coverage)} of programs.`;
}

/** Advice for a user who decides by the conclusion. Empty if the reason says everything. @param behaviour of a candidate that was run */
export function advice(conclusion: Conclusion, canRun: boolean, behaviour?: Behaviour): string {
  const run = canRun ? "Tick \u201cRun it\u201d" : "Start the server with --run";
  switch (conclusion) {
    case "looks-right":
      return `It resembles a correct program, but one wrong operator would look the same. ${run} if the decision matters.`;
    case "unknown":
      if (behaviour !== undefined && behaviour.source !== null) {
        return behaviour.agree === null
          ? "Running it showed too little. A reference, or more examples in the description, would show more."
          : "";
      }
      return `There is no evidence that it is right or wrong. ${run} to find out.`;
    default:
      return "";
  }
}

/** `38 of 40 inputs`; a percentage if inputs have different weights. */
function agreeing(agree: number, inputs: number): string {
  const count = Math.round(agree * inputs);
  return Math.abs(agree * inputs - count) < 1e-6
    ? `${count} of ${counted(inputs, "input")}`
    : `${percent(agree)} of ${counted(inputs, "input")}`;
}

/** The results of running it, one phrase per kind of comparison. */
export function behaviourInWords({ agree, inputs, examples, samples }: Behaviour): string[] {
  const said: string[] = [];
  if (agree !== null) said.push(`behaves like the reference on ${agreeing(agree, inputs)}`);
  if (examples !== null)
    said.push(`passes ${examples.passed} of ${counted(examples.total, "example")} of the description`);
  if (samples !== null) said.push(`gives the same answers as ${percent(samples)} of the other candidates`);
  if (said.length === 0) said.push(`ran on ${counted(inputs, "input")}; the correct answers are unknown`);
  return said;
}

/** `1 line`, `2 lines`. */
export { counted };
