/** Dates and times in examples become other dates and times that exist. */
import { expect, it } from "vitest";
import { isStamp } from "../../src/expand/calendar.ts";
import { Proposer } from "../../src/expand/index.ts";

const propose = (args: readonly string[]): string[] => {
  const problem = {
    id: "p",
    description: "",
    prompt: "",
    references: [],
    tests: [],
    setup: "",
    contract: "",
    source: "",
  };
  const given = args.map((text) => ({ args: text }));
  const inputs = new Proposer({ ...problem, entryPoint: "f" }, given, 1).next(60);
  return inputs.map((input) => ("args" in input ? input.args : ""));
};

it.each<[string, string[]]>([
  ["dates", ["'2024-03-01'", "'2023-12-31'"]],
  ["a single date", ["'2024-03-01'"]],
  ["dates that begin with the day", ["'31/12/2023'", "'03/04/2024'"]],
  ["dates that begin with the month", ["'12/31/2023'"]],
  ["times", ["'09:30'", "'23:05'"]],
])("keeps most of %s valid", (_, given) => {
  const out = propose(given);
  expect(out.length).toBeGreaterThan(40);
  // An eighth are edge cases, and a tenth of the mutations break the layout on purpose.
  expect(out.filter((text) => isStamp(text.slice(1, -1))).length / out.length).toBeGreaterThan(2 / 3);
});

it.each([
  "2024-02-30",
  "2023-02-29",
  "1900-02-29",
  "2024-13-01",
  "32/12/2024",
  "24:00",
  "12024-01-01",
  "2024-01-01T",
  "",
])("does not take %j for a date or time", (text) => expect(isStamp(text)).toBe(false));
