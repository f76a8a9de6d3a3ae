/**
 * Finds descriptions that recite their input: a forward model that hands the code through gets a perfect round trip
 * and shows nothing (Allamanis et al. 2024, section 2, limitations).
 */

import type { Message } from "../llm/llm.ts";

export interface Recited {
  /** Length of the longest run of tokens that both texts have. */
  readonly run: number;
  /** That run as a share of the shorter text's tokens. */
  readonly share: number;
  readonly recited: boolean;
}

/** Whether a description is that of an example in the prompt: a weak model repeats it whatever it is asked. */
export function copiesExample(prompt: readonly Message[], description: string): boolean {
  const words = tokens(description);
  const said = words.join(" ");
  const examples = prompt.flatMap(({ role, content }) => (role === "assistant" ? [tokens(content).join(" ")] : []));
  // A description may be cut, and a model may go on.
  return examples.some((example) => words.length >= leastRun && (example.startsWith(said) || said.startsWith(example)));
}

/** Fewer tokens than this prove nothing: people also write `a + b`. */
const leastRun = 4;
const leastShare = 0.5;

const tokens = (text: string): string[] => text.match(/[\p{L}_][\p{L}\p{N}_]*|\p{N}+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** Recited: the longest common run has at least 4 tokens and is at least half of the shorter text. */
export function findRecital(code: string, description: string): Recited {
  const a = tokens(code);
  const b = tokens(description);
  let run = 0;
  let previous: number[] = [];
  for (const token of a) {
    const current = b.map((other, j) => (other === token ? (previous[j - 1] ?? 0) + 1 : 0));
    run = current.reduce((most, length) => Math.max(most, length), run);
    previous = current;
  }
  const shorter = Math.min(a.length, b.length);
  const share = shorter === 0 ? 0 : run / shorter;
  return { run, share, recited: run >= leastRun && share >= leastShare };
}
