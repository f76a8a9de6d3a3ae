import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import type { Row } from "./rows.ts";

/**
 * The id of a row that has but the place of its problem among all, null for any other.
 * Throws `CodescoreError("input")` unless there are as many problems as its file has lists.
 */
export function idInOrder({ place, where }: Row, ids: readonly string[] | null): string | null {
  if (place === undefined) return null;
  if (place.of === ids?.length) return ids[place.position] as string;
  throw new CodescoreError(
    "input",
    `${where}: expected a list of programs for each of the ${ids?.length ?? 0} problems, in their order, got ${counted(place.of, "list")}; give the problems that were asked, or rows with \`task_id\``,
  );
}
