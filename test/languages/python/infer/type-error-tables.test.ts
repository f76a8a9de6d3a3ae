/** The tables of which operations each type of value supports. Every cell is checked against Python. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  ATTRIBUTES,
  HASHED,
  INDEXED,
  isOrdered,
  operated,
  REVERSED,
  SIZED,
  TAKES,
  type ValueTypes,
  WALKED,
} from "../../../../src/languages/python/infer/type-errors/library.ts";
import type { ValueType } from "../../../../src/languages/python/infer/types.ts";
import { python } from "../../../util/python.ts";

describe.skipIf(!python)("the tables", () => {
  /** A typical value of each type. */
  const VALUES: Readonly<Record<ValueType, string>> = {
    None: "None",
    int: "3",
    float: "2.5",
    text: "'ab'",
    list: "[1]",
    tuple: "(1,)",
    dict: "collections.Counter({1: 2})",
    set: "{1}",
    range: "range(3)",
    view: "{1: 2}.keys()",
    iterator: "iter([1])",
    function: "len",
  };
  const sorts = Object.keys(VALUES) as ValueType[];
  // One Python process evaluates all tables.
  const asked: string[] = [];
  /** Call it while tests are collected. The function it returns tells, inside a test, which of the expressions fail. */
  const failsOf = (expressions: readonly string[]): (() => boolean[]) => {
    const from = asked.length;
    asked.push(...expressions);
    return () => failed().slice(from, from + expressions.length);
  };
  let answers: boolean[] | undefined;
  const failed = (): boolean[] => {
    const script = `
import collections, json, math, sys
out = []
for text in json.load(sys.stdin):
    try:
        eval(text)
        out.append(False)
    except (TypeError, AttributeError):
        out.append(True)
    except Exception:
        out.append(False)
print(json.dumps(out))`;
    const input = JSON.stringify(asked);
    answers ??= JSON.parse(execFileSync("python3", ["-c", script], { input, encoding: "utf8" })) as boolean[];
    return answers;
  };
  const pairs = sorts.flatMap((left) => sorts.map((right) => [left, right] as const));

  for (const operator of ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"]) {
    const failing = failsOf(pairs.map(([left, right]) => `${VALUES[left]} ${operator} ${VALUES[right]}`));
    it(`of operator ${operator} are Python's`, () => {
      // Text accepts any operand on its right if it has a placeholder for it.
      const wrong = pairs.filter(([left, right], i) => {
        if (operator === "%" && left === "text") return operated(operator, left, right) === null;
        return (operated(operator, left, right) === null) !== failing()[i];
      });
      expect(wrong).toEqual([]);
    });
  }

  const known = pairs.flatMap(([left, right]) =>
    ["+", "-", "*", "/", "//", "**", "&"].flatMap((operator) => {
      const sorts = operated(operator, left, right);
      return sorts === null || left === "view" || right === "view"
        ? []
        : [[`${VALUES[left]} ${operator} ${VALUES[right]}`, sorts] as const];
    }),
  );
  const types = { int: "int", float: "float", text: "str", list: "list", tuple: "tuple", dict: "dict", set: "set" };
  const isOther = failsOf(
    known.map(([text, sorts]) => {
      const classes = sorts.map((sort) => types[sort as keyof typeof types]).join(", ");
      return `None if isinstance(${text}, (${classes},)) else 1 + ''`;
    }),
  );
  it("of results are Python's", () => {
    expect(known.length).toBeGreaterThan(30);
    expect(known.filter((_, i) => isOther()[i])).toEqual([]);
  });

  const notOrdered = failsOf(pairs.map(([left, right]) => `${VALUES[left]} < ${VALUES[right]}`));
  it("of comparisons are Python's", () => {
    expect(pairs.filter(([left, right], i) => isOrdered(left, right) === notOrdered()[i])).toEqual([]);
  });

  const takers: readonly [string, ValueTypes, (value: string) => string][] = [
    ["walks", WALKED, (value) => `iter(${value})`],
    ["sizes", SIZED, (value) => `len(${value})`],
    ["indices", INDEXED, (value) => `${value}[0]`],
    ["hashes", HASHED, (value) => `hash(${value})`],
    ["reversals", REVERSED, (value) => `reversed(${value})`],
    ...[...TAKES].map(([name, takes]): [string, ValueTypes, (value: string) => string] => [
      name,
      takes,
      (value) => (name === "sum" ? `sum(${value}, type("", (), {"__add__": lambda a, b: a})())` : `${name}(${value})`),
    ]),
  ];
  for (const [name, allowed, expression] of takers) {
    // What `dict` and `set` require of the items is tested elsewhere.
    const values = sorts.map((sort) => (name === "dict" ? VALUES[sort].replace(/\b1\b/g, "(1, 2)") : VALUES[sort]));
    const failing = failsOf(values.map(expression));
    it(`of ${name} are Python's`, () => {
      const wrong = sorts.filter((sort, i) => allowed.includes(sort) === failing()[i]);
      expect(
        wrong.filter(
          (sort) => !(name === "dict" && /^(?:text|range)$/.test(sort)) && !(name === "ord" && sort === "text"),
        ),
      ).toEqual([]);
    });
  }

  const attributes = [...ATTRIBUTES].map(([sort, names]) => {
    const has = [...names].map((name) => JSON.stringify(name)).join(",");
    return [
      sort,
      `None if {n for n in dir(${VALUES[sort]}) if n[0] != "_"} <= {${has}${has && ","}} | set() else 1 + ''`,
    ] as const;
  });
  const lacks = failsOf(attributes.map(([, text]) => text.replace("{}", "set()")));
  it("of attributes are Python's", () => {
    expect(attributes.filter((_, i) => lacks()[i]).map(([sort]) => sort)).toEqual([]);
  });
});
