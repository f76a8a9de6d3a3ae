/** MBPP's own splits, by problem number (Austin et al. 2021). The sanitized version has the same splits with fewer problems. */

export const mbppSplits = ["prompt", "test", "validation", "train"] as const;
export type MbppSplit = (typeof mbppSplits)[number];

/** Null for an id that is not of MBPP. `MBPPT/N` is a rewording of `MBPP/N`, and EvalPlus writes `Mbpp/N`. */
export function mbppSplitOf(taskId: string): MbppSplit | null {
  const match = /^(?:MBPPT?|Mbpp)\/(\d+)$/.exec(taskId);
  if (match === null) return null;
  const n = Number(match[1]);
  if (n <= 10) return "prompt";
  if (n <= 510) return "test";
  return n <= 600 ? "validation" : "train";
}
