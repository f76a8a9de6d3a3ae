/** Normal forms are equal for programs that differ only in names, comments and annotations, and differ otherwise. */
import { beforeAll, describe, expect, it } from "vitest";
import { type NormalFunction, normalForms } from "../../src/mutate/index.ts";

let forms: (code: string) => NormalFunction[];
beforeAll(async () => {
  forms = await normalForms();
});

const text = (code: string): string =>
  forms(code)
    .map(({ tokens }) => tokens.join(" "))
    .join("\n");

const plain =
  "def f(xs, k):\n    total = 0\n    for x in xs:\n        total += x.size * k\n    return sorted([total, 'a'])\n";

describe("normalForms", () => {
  it.each([
    [
      "other names",
      plain.replaceAll("xs", "items").replaceAll("total", "acc").replaceAll(" x", " it").replace("def f", "def g"),
    ],
    [
      "comments and a docstring",
      plain.replace("    total = 0\n", '    """Docs."""\n    # why\n    total = 0  # zero\n'),
    ],
    ["annotations", plain.replace("(xs, k)", "(xs: list[int], k: int) -> list")],
    ["other quotes and blank lines", plain.replace("'a'", '"a"').replace("    return", "\n    return")],
  ])("do not see %s", (_, code) => {
    expect(code).not.toBe(plain);
    expect(text(code)).toBe(text(plain));
  });

  it.each([
    ["another attribute", plain.replace(".size", ".length")],
    ["another builtin", plain.replace("sorted", "list")],
    ["another number", plain.replace("= 0", "= 1")],
    ["another text", plain.replace("'a'", "'b'")],
    ["names that are one where there were two", plain.replace("* k", "* total")],
    ["another block", plain.replace("    return", "        return")],
  ])("see %s", (_, code) => {
    expect(code).not.toBe(plain);
    expect(text(code)).not.toBe(text(plain));
  });

  it("gives each outer function and method with its name, and a program without functions whole", () => {
    const code =
      "class A:\n    def one(self):\n        def inner():\n            return 1\n        return inner\n\ndef two():\n    pass\n";
    expect(forms(code).map(({ name }) => name)).toEqual(["one", "two"]);
    expect(forms("print(1)\n").map(({ name }) => name)).toEqual([null]);
    expect(forms("def f(:\n")).toEqual([]);
  });

  it("calls the function itself alike in recursion", () => {
    const recursive = (name: string): string => `def ${name}(n):\n    return n and ${name}(n - 1)\n`;
    expect(text(recursive("a"))).toBe(text(recursive("b")));
  });
});
