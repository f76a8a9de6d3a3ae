/** Calls that write values without a literal: `set()`, `float('inf')`, `complex(0.0, -1.0)`. */
import type { PyValue } from "../../../types.ts";
import { distinct, hashable } from "./equality.ts";

/** Python's spellings of a float: `float('inf')`, `float(' -1e5 ')`. */
const floatPattern =
  /^[+-]?(?:inf(?:inity)?|nan|(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?)$/i;

function floatOf(value: PyValue | undefined): number | null {
  if (value?.t === "int" || value?.t === "float") return Number(value.v);
  const text = value?.t === "str" ? value.v.trim().replaceAll("_", "") : "";
  if (!floatPattern.test(text)) return null;
  if (/nan/i.test(text)) return Number.NaN;
  return /inf/i.test(text) ? (text.startsWith("-") ? -1 : 1) * Number.POSITIVE_INFINITY : Number(text);
}

/** The calls that write values without a literal. Each returns undefined for arguments that it does not accept. */
export const CONSTRUCTORS: ReadonlyMap<string, (args: readonly PyValue[]) => PyValue | undefined> = new Map([
  ["set", (args) => collection("set", args)],
  ["frozenset", (args) => collection("frozenset", args)],
  [
    "float",
    (args) => {
      const v = args.length === 1 ? floatOf(args[0]) : null;
      return v === null ? undefined : { t: "float", v };
    },
  ],
  [
    "complex",
    (args) => {
      if (args.length !== 2 || args.some((arg) => arg.t === "str")) return undefined;
      const [re, im] = [floatOf(args[0]), floatOf(args[1])];
      return re === null || im === null ? undefined : { t: "complex", re, im };
    },
  ],
] satisfies [string, (args: readonly PyValue[]) => PyValue | undefined][]);

function collection(t: "set" | "frozenset", args: readonly PyValue[]): PyValue | undefined {
  const of = args[0];
  if (of === undefined) return { t, v: [] };
  if (args.length > 1 || !("v" in of) || !Array.isArray(of.v) || of.t === "dict") return undefined;
  const items = of.v as readonly PyValue[];
  return items.every(hashable) ? { t, v: distinct(items) } : undefined;
}
