/** Texts in the formats that a description or the reference shows: dates, times, numbers with something between them. */
import { describe, expect, it } from "vitest";
import { formatsIn } from "../../src/behaviour/uses/formats.ts";
import { argumentsByUse } from "../../src/behaviour/uses/index.ts";
import { isStamp, readSignature } from "../../src/expand/index.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import { cpuS } from "../cpu.ts";

async function texts(code: string, description = ""): Promise<string[]> {
  const options = { count: 40, seed: 0, shown: [], isSigned: false, description };
  const made = await argumentsByUse(code, "f", readSignature(code, "f")!, options);
  return made
    .flatMap(
      (args) =>
        JSON.stringify(parseArguments(args), (_, v) => (typeof v === "bigint" ? `${v}` : v)).match(
          /"t":"str","v":"[^"]*"/g,
        ) ?? [],
    )
    .map((text) => text.slice(15, -1));
}

describe("formats that a description gives", () => {
  const names = ["id", "updated", "start", "end"];
  it.each<[string, [string, string][]]>([
    ['rows with "id", "updated" (a date as YYYY-MM-DD) and "name"', [["updated", "date"]]],
    [
      'where `start` and `end` are "HH:MM" strings',
      [
        ["start", "time"],
        ["end", "time"],
      ],
    ],
    [
      "id, start and end are both HH:MM",
      [
        ["id", "time"],
        ["start", "time"],
        ["end", "time"],
      ],
    ],
    ["updated, an ISO 8601 date", [["updated", "date"]]],
    ["`updated` counts. Return it as YYYY-MM-DD.", []],
    ["start is HH:MM:SS", []],
    ["nothing is said of start", []],
  ])("%s", (description, expected) => {
    expect([...formatsIn(description, names)]).toEqual(expected);
  });

  it("takes names of e-mail addresses by themselves", () => {
    expect([...formatsIn("", ["email", "user_e_mail", "emailed", "mail"]).keys()]).toEqual(["email", "user_e_mail"]);
  });

  it("reads long descriptions in time", () => {
    const start = cpuS();
    formatsIn(`${"start and end, ".repeat(50_000)}are HH:MM ${"YYYY-MM-DD ".repeat(50_000)}`, names);
    expect(cpuS() - start).toBeLessThan(2);
  });
});

describe("values", () => {
  it("have the format of their name", async () => {
    const code =
      'def f(rows):\n    best = {}\n    for row in rows:\n        if row["id"] not in best or row["updated"] >= best[row["id"]]["updated"]:\n            best[row["id"]] = row\n    return list(best.values())\n';
    const found = await texts(code, 'Rows with "id" and "updated" (a date as YYYY-MM-DD).');
    expect(found.filter(isStamp).length).toBeGreaterThan(30);
    expect((await texts(code)).filter(isStamp)).toEqual([]);
  });

  it.each([
    [
      "times",
      'def f(a: str, b: str):\n    h, m = a.split(":")\n    return int(h) * 60 + int(m) + minutes(b)\ndef minutes(t):\n    h, m = t.split(":")\n    return int(h) * 60 + int(m)\n',
      isStamp,
    ],
    ["dates", 'def f(day: str):\n    y, m, d = map(int, day.split("-"))\n    return y * 372 + m * 31 + d\n', null],
    [
      "versions",
      'def f(a: str, b: str):\n    return [int(p) for p in a.split(".")] < [int(p) for p in b.split(".")]\n',
      (text: string) => /^\d+(?:\.\d+){0,3}$/.test(text),
    ],
    ["numbers", 'def f(rows):\n    return sum(int(n) for name, n in (row.split("=") for row in rows))\n', null],
  ])("that are split into numbers are %s", async (_, code, holds) => {
    const found = await texts(code);
    if (holds === null) return;
    expect(found.length).toBeGreaterThan(20);
    for (const text of found) expect(text).toSatisfy(holds);
  });

  it("of records have the keys that a loop reads", async () => {
    const code =
      'def f(contacts):\n    out = {}\n    for c in contacts:\n        for key in ("name", "phone"):\n            if c[key]:\n                out[c["email"], key] = c[key]\n    return len(out)\n';
    const options = { count: 20, seed: 0, shown: [], isSigned: false };
    const made = await argumentsByUse(code, "f", readSignature(code, "f")!, options);
    expect(
      made.filter((args) => ["email", "name", "phone"].every((key) => args.includes(`'${key}':`))).length,
    ).toBeGreaterThan(10);
  });

  it("of records in the answer are not taken for equal", async () => {
    const code =
      'def f(records):\n    names = {}\n    for r in records:\n        names[r["email"].strip()] = r["name"]\n    return [{"email": key, "name": name} for key, name in names.items()]\n';
    const found = await texts(code);
    expect(found.filter((text) => text.includes("@")).length).toBeGreaterThan(20);
    expect(found.filter((text) => !text.includes("@")).length).toBeGreaterThan(20);
  });
});

describe("rows", () => {
  const MERGE =
    "def f(shifts):\n    merged = []\n    for start, end in sorted(shifts):\n        if merged and start <= merged[-1][1]:\n            merged[-1] = (merged[-1][0], max(merged[-1][1], end))\n        else:\n            merged.append((start, end))\n    return merged\n";

  it("have the formats that the description shows at their places", async () => {
    const found = await texts(MERGE, 'shifts is a list of ("HH:MM", "HH:MM") tuples.');
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter((text) => !isStamp(text))).toEqual([]);
    expect((await texts(MERGE, 'shifts is a list of ("HH:MM", "HH:MM", name) tuples.')).filter(isStamp)).toEqual([]);
  });

  it("have texts like those that the description shows for their names, and percentages", async () => {
    const code =
      "from decimal import Decimal\ndef f(lines, tax_rate):\n    net = 0\n    for qty, price, discount in lines:\n        net += qty * Decimal(price) * (100 - discount) / 100\n    return str(net * Decimal(tax_rate))\n";
    const description =
      'A list of (quantity, unit_price, discount_percent) with int quantities, prices as strings like "19.99" and int discounts; the tax rate is a string such as "0.19".';
    const options = { count: 60, seed: 0, shown: [], isSigned: false, description };
    const made = await argumentsByUse(code, "f", readSignature(code, "f")!, options);
    expect(made.filter((args) => /'\d\d\.\d\d'/.test(args)).length).toBeGreaterThan(20);
    expect(made.filter((args) => /, '\d\.\d\d'$/.test(args)).length).toBeGreaterThan(20);
    const discounts = made.flatMap((args) => [...args.matchAll(/, (\d+)\)/g)].map(([, number]) => Number(number)));
    expect(discounts.length).toBeGreaterThan(30);
    expect(Math.max(...discounts)).toBeLessThanOrEqual(100);
  });

  it("have places of different kinds, whether they are read by index or by name", async () => {
    for (const more of ["", "    for i, (name, points) in enumerate(rows):\n        print(name)\n"]) {
      const code = `def f(rows):\n    out = sorted(rows, key=lambda row: (-row[1], row[0].lower()))\n${more}    return out\n`;
      const options = { count: 40, seed: 0, shown: [], isSigned: false };
      const made = await argumentsByUse(code, "f", readSignature(code, "f")!, options);
      const rows = made
        .flatMap((args) => parseArguments(args).positional)
        .flatMap((list) => (list.t === "list" ? list.v : []));
      expect(rows.length).toBeGreaterThan(40);
      for (const row of rows) expect(row.t === "tuple" && row.v.map(({ t }) => t).join()).toBe("str,int");
    }
  });
});

it("lines have the layout of one in backticks", async () => {
  const code = "def f(lines):\n    return [line.upper() for line in lines if line.startswith('2')]\n";
  const found = await texts(code, "The lines look like this: `2024-05-01 13:45:10 ERROR Disk full`.");
  expect(found.filter((text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{5} /.test(text)).length).toBeGreaterThan(10);
});
