/** Edge cases of a shape: empty, single, zero, one, negative, repeated, the ends of the range, large. */

import { distinct, hashable } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { isStamp } from "./calendar.ts";
import { type Context, generate, settle } from "./generate.ts";
import type { Shape } from "./shape.ts";

/** Items of a large collection, and characters of a long string. */
const largeLength = 60;

/** Maximum depth of types. Edge cases of items become items themselves, so at greater depth they would be too large. */
const deepest = 4;

export function edgeCases(shape: Shape, context: Context, depth = 0): PyValue[] {
  const { rng } = context;
  if (depth === deepest) return [];
  return shape.flatMap(({ of }): PyValue[] => {
    switch (of.t) {
      case "none":
        return [{ t: "none" }];
      case "bool":
        return [true, false].map((v) => ({ t: "bool", v }));
      case "int": {
        const signed = of.min < 0n ? [-1n, of.min * 10n] : of.min === 0n ? [-1n] : [];
        const values = [0n, 1n, 2n, ...signed, of.min, of.max, of.max + 1n, of.max * 10n, of.max * 100n];
        return values.map((v) => ({ t: "int", v }));
      }
      case "float":
        return [0, 1, -1, 0.5, of.min, of.max, of.max * 10].map((v) => ({ t: "float", v }));
      case "str": {
        if (of.structured && of.samples.every(isStamp)) return [];
        const c = of.alphabet[0] ?? "a";
        const long = Array.from({ length: largeLength }, () => rng.pick(of.alphabet.length > 0 ? of.alphabet : [c]));
        const sample = of.samples[0] ?? c;
        return ["", c, c + c, c.repeat(10), sample + sample, " ", long.join("")].map((v) => ({ t: "str", v }));
      }
      case "list":
      case "tuple":
      case "set":
      case "frozenset": {
        if (of.positions) return [];
        const item = generate(of.item, context);
        const others = edgeCases(of.item, context, depth + 1);
        const large = Array.from({ length: largeLength }, () => generate(of.item, context));
        const lists = [
          [],
          [item],
          [item, item],
          Array.from({ length: 5 }, () => item),
          others,
          ...others.map((e) => [e]),
          large,
        ];
        return lists.map((v) =>
          of.t === "list" || of.t === "tuple" ? settle({ t: of.t, v }, of, rng) : asSet(of.t, v),
        );
      }
      case "dict": {
        const [key, value] = [generate(of.key, context), generate(of.value, context)];
        return hashable(key)
          ? [
              { t: "dict", v: [] },
              { t: "dict", v: [[key, value]] },
            ]
          : [{ t: "dict", v: [] }];
      }
      default:
        return [];
    }
  });
}

function asSet(t: "set" | "frozenset", items: readonly PyValue[]): PyValue {
  return { t, v: distinct(items.filter(hashable)) };
}
