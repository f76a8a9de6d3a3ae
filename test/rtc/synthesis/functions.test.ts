import { describe, expect, it } from "vitest";
import {
  candidates,
  deletions,
  functionsOf,
  originals,
  type SpanFunctions,
  withoutBodies,
} from "../../../src/rtc/synthesis/functions.ts";
import { findSpans, type Span, spanText } from "../../../src/rtc/synthesis/span.ts";

const text = `from __future__ import annotations


def short(x): return x + 1 + 2 + 3


class A:
    class B:
        @property
        def named(self):
            """Its name."""
            return self.first_name + self.name

    if True:

        async def wait(self, seconds):
            await self.sleep(seconds, seconds)


def outer(xs):
    def inner(x):
        return x * x * x * x * x
    return [inner(x) for x in xs]


VALUE = outer([1, 2, 3, 4, 5, 6])
`;

async function at(part: string): Promise<{ span: Span; found: SpanFunctions | string }> {
  const spans = await findSpans({ path: "a.py", text }, { least: 8 });
  const span = spans
    .filter((one) => spanText(one).includes(part))
    .sort((a, b) => a.end - a.start - (b.end - b.start))[0]!;
  return { span, found: await functionsOf(span) };
}

async function functionsAt(part: string): Promise<{ span: Span; found: SpanFunctions }> {
  const { span, found } = await at(part);
  if (typeof found === "string") throw new Error(found);
  return { span, found };
}

describe("the functions of a span", () => {
  it("are the one that it lies in, in its classes, without decorators", async () => {
    const { span, found } = await functionsAt("self.first_name");
    expect(found).toMatchObject({ isInside: true, functions: [{ name: "named", path: ["class", "class", "named"] }] });
    expect(originals(span, found)).toEqual([
      `from __future__ import annotations
class A:
    class B:
        def named(self):
            """Its name."""
            return self.first_name + self.name
`,
    ]);
  });

  it("are the outermost ones", async () => {
    const { found } = await functionsAt("return x * x");
    expect(found.functions.map(({ name }) => name)).toEqual(["outer"]);
  });

  it("are those that lie in it", async () => {
    const { found } = await functionsAt("def short");
    expect(found).toMatchObject({ isInside: false, functions: [{ name: "short" }] });
  });

  it.each([
    ["VALUE =", "the span is in no function and contains none"],
    ["await self", "its function is a coroutine"],
  ])("are none of %s", async (part, why) => expect((await at(part)).found).toBe(why));

  it("lose their bodies, keep their docstrings and what super() needs, and tell their lines", async () => {
    const named = await functionsAt("self.first_name");
    const without = withoutBodies(named.span, named.found.functions);
    expect(without.text).toBe(text.replace("return self.first_name + self.name", "__class__"));
    expect(without.text.split("\n")[without.lines[0]! - 1]).toBe("        @property");
    const short = await functionsAt("def short");
    expect(withoutBodies(short.span, short.found.functions).text).toContain("def short(x): pass\n");
  });

  it("are deleted by what the span deletes", async () => {
    const { span, found } = await functionsAt("return x * x");
    expect(deletions(span, found)[0]).toContain("def inner(x):\n        pass\n    return [inner");
    const short = await functionsAt("def short");
    expect(deletions(short.span, short.found)).toEqual(["from __future__ import annotations\ndef short(x): pass\n"]);
  });

  it("get other code in the span's place", async () => {
    const { span, found } = await functionsAt("return x * x");
    expect(await candidates(span, found, "        return x**5")).toEqual([
      `from __future__ import annotations
def outer(xs):
    def inner(x):
        return x**5
    return [inner(x) for x in xs]
`,
    ]);
  });

  it.each<[string, string | (string | null)[]]>([
    ["def short(x): return x + 1 + 2 + 3  # same", [null]],
    ["def short(x):\n    return 6 + x", ["from __future__ import annotations\ndef short(x):\n    return 6 + x\n"]],
    ["def short(x=1): return x", "its code changes more than function bodies"],
    ["@cache\ndef short(x): return x", "its code changes more than function bodies"],
    ["short = len", "its code changes more than function bodies"],
    ["def short(x): return (", "its code does not parse"],
  ])("which is %j where functions lie in it: %j", async (code, expected) => {
    const { span, found } = await functionsAt("def short");
    expect(await candidates(span, found, code)).toEqual(expected);
  });
});
