/**
 * Finds descriptions that recite their input. A forward model that passes the code through gets a perfect round trip, but this
 * shows nothing about the model (Allamanis et al. 2024, section 2, limitations).
 */

import type { Message } from "../llm/llm.ts";

export interface Recited {
  /** Length in tokens of the longest run that both texts share. */
  readonly run: number;
  /** That run as a share of the shorter text's tokens. */
  readonly share: number;
  readonly recited: boolean;
}

/** Whether a description copies an example of the prompt. Weak models repeat the example for any input. */
export function copiesExample(prompt: readonly Message[], description: string): boolean {
  const words = tokens(description);
  const said = words.join(" ");
  const examples = prompt.flatMap(({ role, content }) => (role === "assistant" ? [tokens(content).join(" ")] : []));
  // The description may be cut, and the model may continue after the example.
  return examples.some((example) => words.length >= leastRun && (example.startsWith(said) || said.startsWith(example)));
}

/** Minimum tokens of a shared run. Shorter runs prove nothing, because people also write `a + b`. */
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
