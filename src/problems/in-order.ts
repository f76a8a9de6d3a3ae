import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import type { Row } from "./rows.ts";

/**
 * The problem id of a row that is known only by its position among all problems; null for any other row.
 * Throws `CodescoreError("input")` unless the file has as many lists as there are problems.
 */
export function idInOrder({ place, where }: Row, ids: readonly string[] | null): string | null {
  if (place === undefined) return null;
  if (place.of === ids?.length) return ids[place.position] as string;
  throw new CodescoreError(
    "input",
    `${where}: expected ${counted(ids?.length ?? 0, "list")} of programs, one per problem in the problems' order, got ${place.of}; pass the problems that the programs were generated for, or rows with \`task_id\``,
  );
}
