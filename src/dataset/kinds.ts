/** Who made a candidate, read from `made_by`. Sets are counted, weighted and described by this kind. */

/** `llm`: a model wrote the program. `reference`: it comes with the problem. codescore makes the others from existing programs. */
export type Kind = "llm" | "reference" | "rewrite" | "mutant" | "cross";

/** `reference`, `mutant:a+b`, `rewrite:a`, `rewrite:a|mutant:b` (a mutant), `cross:ID`. Any other text is a model's name. */
export function kindOf(madeBy: string): Kind {
  if (madeBy === "reference") return "reference";
  if (madeBy.startsWith("cross:")) return "cross";
  if (/(?:^|\|)mutant:/.test(madeBy)) return "mutant";
  return madeBy.startsWith("rewrite:") ? "rewrite" : "llm";
}
