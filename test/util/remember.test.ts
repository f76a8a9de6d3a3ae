import { expect, it } from "vitest";
import { oncePer, remember } from "../../src/util/remember.ts";

/** A cache with this many characters, and the texts that it had to compute. */
function counted(characters: number) {
  const made: string[] = [];
  const ask = remember((text) => {
    made.push(text);
    return { text };
  }, characters);
  return { made, ask };
}

it("makes something of a text once while it is used", () => {
  const { made, ask } = counted(4 * (2 + 32));
  const first = ask("aa");
  for (const text of ["bb", "aa", "cc", "aa", "dd", "aa", "ee", "aa"]) ask(text);
  expect(ask("aa")).toBe(first);
  expect(made.filter((text) => text === "aa")).toHaveLength(1);
});

it("forgets what has not been used for long", () => {
  const { made, ask } = counted(4 * (2 + 32));
  for (const text of ["aa", "bb", "cc", "dd", "ee", "aa"]) ask(text);
  expect(made).toEqual(["aa", "bb", "cc", "dd", "ee", "aa"]);
});

it("keeps the last text, however long", () => {
  const { made, ask } = counted(2);
  expect(ask("a long text")).toBe(ask("a long text"));
  expect(made).toHaveLength(1);
});

it("counts texts for more than their characters, so that it holds no end of short ones", () => {
  const { made, ask } = counted(100 * 32);
  const texts = Array.from({ length: 100 }, (_, i) => String.fromCharCode(0x4e00 + i));
  for (let times = 0; times < 2; times++) for (const text of texts) ask(text);
  expect(made.length).toBeGreaterThan(100);
});

it("works a function of an object out once for each, also where it is undefined", () => {
  let times = 0;
  const ask = oncePer((of: { readonly value?: number }) => {
    times += 1;
    return of.value;
  });
  const [one, none] = [{ value: 1 }, {}];
  expect([ask(one), ask(none), ask(one), ask(none)]).toEqual([1, undefined, 1, undefined]);
  expect(times).toBe(2);
});
