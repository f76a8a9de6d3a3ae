import { describe, expect, it } from "vitest";
import { functionAlone } from "../../../src/rtc/synthesis/alone.ts";

const text = `"""A file."""
from __future__ import annotations
import os, math
from .other import helper
from string import *
try:
    import numpy
except ImportError:
    numpy = None

SCALE = 2
TABLE = {}
TABLE["a"] = SCALE
print("side effect")


def twice(x):
    return x * SCALE


def unrelated(x):
    return helper(x)


@twice_decorated
def area(radius):
    wide = math.pi * radius
    return twice(wide) + len(digits)


def lookup(key):
    return TABLE[key]


def needs_project(x):
    return helper(x) + 1


class Shop:
    def total(self, prices):
        return sum(prices)
`;

/** The span of a line of the file. */
function spanOf(line: string) {
  const start = text.indexOf(line);
  return { file: { path: "m.py", text }, start, end: start + line.length };
}

const alone = (line: string, code: string) => functionAlone(spanOf(line), code);

describe("a function alone", () => {
  it("brings what it needs of its file, in order, and nothing else", async () => {
    const found = await alone("    wide = math.pi * radius", "    wide = 3 * radius");
    expect(found).toEqual({
      entryPoint: "area",
      program: `${[
        "from __future__ import annotations",
        "from string import *", // binds \`digits\`, which no other statement does
        "SCALE = 2",
        "def twice(x):\n    return x * SCALE",
        "@twice_decorated\ndef area(radius):\n    wide = 3 * radius\n    return twice(wide) + len(digits)",
      ].join("\n\n")}\n`,
    });
    expect(await alone("    wide = math.pi * radius", "    wide = math.pi * radius")).toMatchObject({
      program: expect.stringContaining("import os, math\n"),
    });
  });

  it("brings statements that change what it reads, and what other code in its place needs", async () => {
    const found = await alone("    return TABLE[key]", "    return TABLE[key] + numpy.ones(1)");
    expect(found).toMatchObject({
      program: expect.stringMatching(
        /^from __future__[\s\S]*try:[\s\S]*SCALE = 2\n\nTABLE = \{\}\n\nTABLE\["a"\] = SCALE\n\ndef lookup/,
      ),
    });
    expect((found as { program: string }).program).not.toMatch(/side effect|twice|string/);
  });

  it.each([
    ["    return helper(x) + 1", "its function needs .other, which is not in the standard library"],
    ["        return sum(prices)", "the span is not inside a top-level function"],
    ["SCALE = 2", "the span is not inside a top-level function"],
  ])("says why there is none: %s", async (line, why) => {
    expect(await alone(line, line)).toBe(why);
  });

  it("takes a whole function, too", async () => {
    expect(await alone("def twice(x):\n    return x * SCALE", "def twice(x):\n    return x + x")).toEqual({
      entryPoint: "twice",
      program: "from __future__ import annotations\n\ndef twice(x):\n    return x + x\n",
    });
  });
});
