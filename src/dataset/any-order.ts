/** Tests of tasks that accept the items of an answer in any order. */
import { equalityKey, parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { TestCase } from "../types.ts";

/** The test with the other order of two items as a second answer; none for more items. */
export function withAnyOrder(test: TestCase): TestCase[] {
  if (test.kind !== "call" || test.expected === null) return [test];
  const answer = parseLiteral(test.expected);
  if (answer.t !== "list" || new Set(answer.v.map(equalityKey)).size < 2) return [test];
  return answer.v.length > 2 ? [] : [{ ...test, also: printLiteral({ t: "list", v: answer.v.toReversed() }) }];
}
