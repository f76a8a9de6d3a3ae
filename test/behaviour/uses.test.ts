import { expect, it } from "vitest";
import { argumentsByUse, textsByUse } from "../../src/behaviour/uses/index.ts";
import { readSignature } from "../../src/expand/index.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import type { PyValue } from "../../src/types.ts";
import { cpuS } from "../cpu.ts";

async function lists(code: string, count = 40, isSigned = false): Promise<PyValue[][]> {
  const made = await argumentsByUse(code, "f", readSignature(code, "f")!, { count, seed: 0, shown: [], isSigned });
  return made.map((args) => [...parseArguments(args).positional]);
}

const keysOf = (value: PyValue): unknown[] =>
  value.t === "dict" ? value.v.map(([key]) => ("v" in key ? key.v : null)) : [];

it("makes records with the keys that a function reads, some of them optional", async () => {
  const code = `def f(items: list):
    return sum(it["price"] * it["qty"] for it in items if not it.get("free", False))
`;
  const records = (await lists(code)).flatMap(([items]) => (items?.t === "list" ? items.v : []));
  expect(records.length).toBeGreaterThan(40);
  expect(records.every((one) => ["price", "qty"].every((key) => keysOf(one).includes(key)))).toBe(true);
  const free = records.filter((one) => keysOf(one).includes("free")).length;
  expect(free).toBeGreaterThan(10);
  expect(free).toBeLessThan(records.length - 10);
});

it("takes texts from those that the function compares with", async () => {
  const code = `def f(events):
    state = 0
    for e in events:
        if e == "coin":
            state = 1
        elif e in ("push", "reset"):
            state = 0
    return state
`;
  const events = (await lists(code)).flatMap(([all]) => (all?.t === "list" ? all.v : []));
  const known = events.filter((one) => one.t === "str" && ["coin", "push", "reset"].includes(one.v)).length;
  expect(known / events.length).toBeGreaterThan(0.8);
});

it("makes empty and padded texts where a function allows for them", async () => {
  const code = `def f(people: list):
    return {p["dept"].strip() or "none": p["name"] for p in people}
`;
  const people = (await lists(code)).flatMap(([all]) => (all?.t === "list" ? all.v : []));
  const texts = (key: string): string[] =>
    people.flatMap((one) =>
      one.t === "dict" ? one.v.flatMap(([k, v]) => (k.t === "str" && k.v === key && v.t === "str" ? [v.v] : [])) : [],
    );
  expect(texts("dept").filter((text) => text === "").length).toBeGreaterThan(3);
  expect(texts("dept").filter((text) => text !== text.trim()).length).toBeGreaterThan(3);
  expect(texts("name").every((text) => text !== "" && text === text.trim())).toBe(true);
});

it("makes dates of many years, the first mostly the earlier one", async () => {
  const code = `from datetime import date
def f(born, on):
    b, d = date.fromisoformat(born), date.fromisoformat(on)
    return d.year - b.year - ((d.month, d.day) < (b.month, b.day))
`;
  const pairs = (await lists(code)).map((args) => args.map((one) => (one.t === "str" ? one.v : "")));
  const years = new Set(pairs.map(([born, on]) => Number(on!.slice(0, 4)) - Number(born!.slice(0, 4))));
  expect(years.size).toBeGreaterThan(8);
  expect(pairs.every(([born, on]) => born! <= on!)).toBe(true);
  const signed = (await lists(code, 40, true)).map((args) => args.map((one) => (one.t === "str" ? one.v : "")));
  expect(signed.some(([born, on]) => born! > on!)).toBe(true);
});

it("makes graphs whose lists hold keys, and starts at one of them", async () => {
  const code = `def f(graph, start):
    seen, todo = {start}, [start]
    while todo:
        for m in graph.get(todo.pop(), []):
            if m not in seen:
                seen.add(m)
                todo.append(m)
    return seen
`;
  const all = await lists(code);
  const starts = all.filter(([graph, start]) => keysOf(graph!).includes(start && "v" in start ? start.v : null)).length;
  expect(starts / all.length).toBeGreaterThan(0.4);
  expect(
    all.some(([graph]) => graph?.t === "dict" && graph.v.some(([, to]) => to.t === "list" && to.v.length > 1)),
  ).toBe(true);
});

it("makes pairs in the order that their names tell", async () => {
  const code = `def f(busy, gap):
    out = []
    for start, end in sorted(busy):
        if out and start - out[-1] <= gap:
            out[-1] = end
    return out
`;
  const pairs = (await lists(code)).flatMap(([busy]) => (busy?.t === "list" ? busy.v : []));
  expect(pairs.length).toBeGreaterThan(40);
  for (const pair of pairs) {
    expect(pair.t).toBe("tuple");
    const [a, b] = pair.t === "tuple" ? pair.v : [];
    expect(a?.t === "int" && b?.t === "int" && a.v < b.v).toBe(true);
  }
});

it("nests dictionaries for a function that calls itself on their values", async () => {
  const code = `def f(base: dict, override: dict):
    out = dict(base)
    for k, v in override.items():
        if v is None:
            out.pop(k, None)
        elif isinstance(v, dict) and isinstance(out.get(k), dict):
            out[k] = f(out[k], v)
        else:
            out[k] = v
    return out
`;
  const all = await lists(code);
  const shared = all.filter(([a, b]) => keysOf(a!).some((key) => keysOf(b!).includes(key))).length;
  expect(shared).toBeGreaterThan(10);
  const values = all.flatMap(([, b]) => (b?.t === "dict" ? b.v.map(([, value]) => value.t) : []));
  expect(values).toEqual(expect.arrayContaining(["dict", "none"]));
});

it("takes the names of an input from one type, so that they can be sorted", async () => {
  const code = `def f(matches):
    points = {}
    for home, away, goals in matches:
        points[home] = points.get(home, 0) + goals
        points[away] = points.get(away, 0) - goals
    return sorted(points)
`;
  const types = (await lists(code)).map(([matches]) => {
    const rows = matches?.t === "list" ? matches.v : [];
    return new Set(rows.flatMap((row) => (row.t === "tuple" ? row.v.slice(0, 2) : [])).map(({ t }) => t)).size;
  });
  expect(Math.max(...types)).toBe(1);
});

it("adds nothing where types alone tell all", async () => {
  expect(await lists("def f(xs, k):\n    return sum(sorted(xs)[:k])\n")).toEqual([]);
  expect(await lists("def f(n: int):\n    return n * 2\n")).toEqual([]);
});

it("reads programs of any size and shape", async () => {
  const deep = `def f(x):\n    return ${"(".repeat(3000)}x${")".repeat(3000)}\n`;
  const cyclic = `def f(x, y):\n    x.append(x)\n    x["a"] = x\n    y = x = y["b"] = [x, y]\n    for x, y in x.items(): x = y[0] = x\n    return f(f(x, y), x)\n`;
  const wide = `def f(x):\n${Array.from({ length: 2000 }, (_, i) => `    x["k${i}"]["${i}"] = x[${i}]`).join("\n")}\n`;
  const keys = `def f(x):\n${Array.from({ length: 300 }, (_, i) => `    x["k${i}"]["${i}"] = x[${i}]`).join("\n")}\n`;
  const start = cpuS();
  for (const code of [deep, cyclic, wide, keys, "def f(x", "def f(x): x[0][1][2]", ""]) {
    const made = await argumentsByUse(code, "f", [{ name: "x", shape: [], optional: false }], {
      count: 20,
      seed: 0,
      shown: [],
      isSigned: true,
    });
    for (const args of made) expect(args.length).toBeLessThan(20_000);
  }
  expect(cpuS() - start).toBeLessThan(5);
});

it("keeps percentages at or below 100", async () => {
  const code = `def f(items):
    return sum(it["price"] * (100 - it["discount_pct"]) // 100 for it in items)
`;
  const records = (await lists(code, 200)).flatMap(([items]) => (items?.t === "list" ? items.v : []));
  const numbers = (name: string): number[] =>
    records.flatMap((one) =>
      one.t === "dict"
        ? one.v.flatMap(([key, value]) => ("v" in key && key.v === name && value.t === "int" ? [Number(value.v)] : []))
        : [],
    );
  expect(Math.max(...numbers("price"))).toBeGreaterThan(100);
  expect(Math.max(...numbers("discount_pct"))).toBeLessThanOrEqual(100);
});

it("reads keys in any quotes, and none from formatted text", async () => {
  const code = `def f(items):
    return [it.get("""name""", "") + it[r'kind'] + it.get(f"{it['kind']}_x", "") for it in items]
`;
  const keys = (await lists(code)).flatMap(([items]) => (items?.t === "list" ? items.v.flatMap(keysOf) : []));
  expect([...new Set(keys)].sort()).toEqual(["kind", "name"]);
});

const textsOf = (value: PyValue): string[] =>
  value.t === "str" ? [value.v] : "v" in value && Array.isArray(value.v) ? value.v.flat().flatMap(textsOf) : [];

it("puts texts together from the parts into which a function takes them", async () => {
  const code = `def f(text):
    result = {}
    for line in text.split("\\n"):
        line = line.strip()
        if line.startswith("#") or "=" not in line:
            continue
        key, value = line.split("=", 1)
        result[key.strip()] = int(value)
    return result
`;
  const texts = (await lists(code)).map(([text]) => textsOf(text!)[0]!);
  const lines = texts.flatMap((text) => text.split("\n"));
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.filter((line) => /^\s*\w+\s*=\s*\d+\s*$/.test(line)).length / lines.length).toBeGreaterThan(0.2);
  expect(lines.filter((line) => line.trim().startsWith("#")).length).toBeGreaterThan(5);
  expect(lines.filter((line) => !line.includes("=")).length).toBeGreaterThan(3);
});

it("reads what a named key function takes apart", async () => {
  const code = `def f(versions):
    def key(version):
        numbers, _, candidate = version.partition("-rc")
        return [int(p) for p in numbers.split(".")], int(candidate or 0)
    return max(versions, key=key)
`;
  const texts = (await lists(code)).flatMap(([all]) => textsOf(all!));
  expect(texts.filter((text) => /^\d+(?:\.\d+)*-rc\d+$/.test(text)).length / texts.length).toBeGreaterThan(0.6);
});

it("spells texts with the characters that a function asks for", async () => {
  const code = `def f(text):
    depth = 0
    for ch in text:
        if ch in "([":
            depth += 1
        elif ch == ")":
            depth -= 1
    return depth
`;
  const letters = (await lists(code)).flatMap(([text]) => [...textsOf(text!).join("")]);
  expect(letters.filter((letter) => "([)".includes(letter)).length / letters.length).toBeGreaterThan(0.6);
});

it("gives items None, and texts beginnings, if the function asks for them", async () => {
  const code = `def f(readings, grants):
    denied = [g[1:] for g in grants if g.startswith("!")]
    return [r for r in readings if r is not None], denied
`;
  const made = await lists(code);
  const readings = made.flatMap(([all]) => (all?.t === "list" ? all.v : []));
  expect(readings.filter(({ t }) => t === "none").length).toBeGreaterThan(5);
  const grants = made.flatMap(([, all]) => textsOf(all!));
  expect(grants.some((text) => /^!\w/.test(text))).toBe(true);
  expect(grants.some((text) => /^\w/.test(text))).toBe(true);
});

it("gives integers True and False if the function asks for them", async () => {
  const code = `def f(people):
    return [p["age"] for p in people if isinstance(p["age"], int) and not isinstance(p["age"], bool) and p["age"] > 3]
`;
  const people = (await lists(code)).flatMap(([all]) => (all?.t === "list" ? all.v : []));
  const ages = people.flatMap((one) => (one.t === "dict" ? one.v.map(([, age]) => age.t) : []));
  expect(new Set(ages)).toEqual(new Set(["int", "bool"]));
});

it("makes standard input for a program that takes it apart", async () => {
  const code = `import sys
total = {}
for line in sys.stdin:
    name, amount = line.strip().split(";")
    total[name] = total.get(name, 0) + int(amount)
print(total)
`;
  const texts = await textsByUse(code, { count: 20, seed: 0, shown: [], isSigned: false });
  const lines = texts.flatMap((text) => text.trimEnd().split("\n"));
  expect(lines.filter((line) => /^\s*\w+\s*;\d+\s*$/.test(line)).length / lines.length).toBeGreaterThan(0.6);
  expect(texts.every((text) => text.endsWith("\n"))).toBe(true);
  expect(await textsByUse("print(int(input()) + 1)\n", { count: 5, seed: 0, shown: [], isSigned: false })).toEqual([]);
});
