/** The judging rules that a row names. */
import { CodescoreError } from "../errors.ts";
import type { Oracle, Problem } from "../types.ts";
import { type JsonLine, optionalString } from "../util/jsonl.ts";

/** See `Oracle` for the meaning of each. */
const ORACLES: readonly Oracle[] = ["set", "not-none", "any", "sequence", "types", "numbers"];

/** The row's `oracle` and `as_text`. Throws `CodescoreError("input")` for an unknown rule. */
export function rulesOf(row: JsonLine): Pick<Problem, "oracle" | "asText"> {
  const asText = row.value.as_text === true ? ({ asText: true } as const) : {};
  const named = optionalString(row, "oracle");
  if (named === null) return asText;
  const oracle = ORACLES.find((one) => one === named);
  if (oracle !== undefined) return { oracle, ...asText };
  throw new CodescoreError(
    "input",
    `${row.where}: expected \`oracle\` to be one of ${ORACLES.join(", ")}, got \`${named}\``,
  );
}
