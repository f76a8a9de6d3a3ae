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
