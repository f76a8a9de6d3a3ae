/** Standard input for programs that read it line by line, and commands that a description lists. */
import { afterAll, describe, expect, it } from "vitest";
import { textsByUse } from "../../src/behaviour/uses/index.ts";
import { saidLetters } from "../../src/behaviour/uses/said-letters.ts";
import { cpuS } from "../cpu.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const textsFor = (code: string, description = ""): Promise<string[]> =>
  textsByUse(code, { count: 30, seed: 0, description, shown: [], isSigned: false });

const linesOf = (text: string): string[] => text.trimEnd().split("\n");

describe("lines that a program reads by calls", () => {
  it("are as many as the first line says", async () => {
    const texts = await textsFor(
      "n = int(input())\nbest = {}\nfor _ in range(n):\n    name, score = input().split()\n    best[name] = max(best.get(name, 0), int(score))\nprint(best)\n",
    );
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts) expect(linesOf(text).length).toBe(1 + Number(linesOf(text)[0]));
  });

  it("are the rows of a comprehension", async () => {
    const texts = await textsFor(
      "r, c = map(int, input().split())\ngrid = [input() for _ in range(r)]\nprint(grid[0])\n",
    );
    for (const text of texts) expect(linesOf(text).length).toBe(1 + Number(text.split(" ")[0]));
  });

  it("end as the program asks, and nowhere before", async () => {
    const texts = await textsFor(
      "seen = []\nwhile True:\n    line = input().strip().lower()\n    if line == 'quit':\n        break\n    seen.append(line)\nprint(len(seen))\n",
    );
    for (const text of texts) {
      const ends = linesOf(text).map((line) => line.trim().toLowerCase() === "quit");
      expect(ends.indexOf(true)).toBe(ends.length - 1);
      expect(linesOf(text).at(-1)).toBe("quit");
    }
  });

  it("follow the calls of functions, and `sys.stdin` after one line", async () => {
    const code =
      "import sys\ndef number():\n    return int(sys.stdin.readline())\ntop = number()\nat = 1\nfor line in sys.stdin:\n    way, steps = line.split()\n    at = min(top, at + int(steps)) if way == 'up' else max(1, at - int(steps))\nprint(at)\n";
    const texts = await textsFor(code);
    for (const text of texts) expect(linesOf(text)[0]).toMatch(/^\d+$/);
    expect(texts.filter((text) => /^up \d+$/m.test(text)).length).toBeGreaterThan(8);
  });

  it("have the characters that a description lists", async () => {
    const code = "rows = [input() for _ in range(3)]\nprint(any(row == row[0] * 3 for row in rows))\n";
    const texts = await textsFor(code, "Three lines, each having three characters X, O or . (an empty field).");
    for (const text of texts) expect(text).toMatch(/^(?:[XO.]{3}\n){3}$/);
  });

  it("are none for a program whose layout contests use, and bounded for hostile ones", async () => {
    expect(await textsFor("n = int(input())\nxs = list(map(int, input().split()))\nprint(sum(xs))\n")).toEqual([]);
    const loops = Array.from({ length: 40 }, (_, i) => `${" ".repeat(i)}for _ in range(100):\n`).join("");
    for (const text of await textsFor(`${loops}${" ".repeat(40)}a, b = input().split(';')\n`))
      expect(linesOf(text).length).toBeLessThanOrEqual(24);
    const calls = (name: string): string => `${name}()\n    `.repeat(200);
    const began = cpuS();
    await textsFor(
      `def a():\n    ${calls("b")}\ndef b():\n    ${calls("c")}\ndef c():\n    ${calls("d")}\ndef d():\n    pass\na()\nx, y = input().split()\n`,
    );
    await textsFor(
      "for _ in range(999):\n  for _ in range(999):\n    for _ in range(999):\n      for _ in range(0):\n        x, y = input().split()\n",
    );
    await textsFor(`x, y = ${"(".repeat(4000)}input().split()${")".repeat(4000)}\n`);
    expect(cpuS() - began).toBeLessThan(3);
  });
});

it.each([
  ["each having three characters X, O or .", { letters: ["X", "O", "."], count: 3 }],
  ['rows of "#" and "."', { letters: ["#", "."], count: null }],
  ["two words a and b", null],
])("reads the characters of lines: %s", (description, said) => {
  expect(saidLetters(description)).toEqual(said);
});

const GARAGE = `import sys
inside = {}
for line in sys.stdin:
    words = line.split()
    if words[0] == "STATUS":
        print(len(inside))
        continue
    action, plate, time = words
    hour, minute = map(int, time.split(":"))
    if (action == "IN") == (plate in inside):
        print("ERROR " + plate)
    elif action == "IN":
        inside[plate] = hour * 60 + minute
    else:
        print(plate, hour * 60 + minute - inside.pop(plate))
`;

it("commands in a list are inputs, with times in order", async () => {
  const description =
    'A car park. Lines in order of time:\nIN PLATE HH:MM\nOUT PLATE HH:MM\nSTATUS\nFor OUT print the minutes, or "ERROR PLATE".';
  const texts = inputsOf(await observe({ reference: GARAGE, description }, 40));
  expect(texts.length).toBeGreaterThan(9);
  for (const text of texts) {
    for (const line of linesOf(text)) expect(line).toMatch(/^(?:(?:IN|OUT) \w+ \d\d:\d\d|STATUS)$/);
    const times = text.match(/\d\d:\d\d/g) ?? [];
    expect(times).toEqual(times.toSorted());
  }
});

it("commands without arguments show what others did", async () => {
  const reference = `import sys
text, undo = "", []
for line in sys.stdin:
    command, _, rest = line.rstrip("\\n").partition(" ")
    if command == "append":
        undo.append(text)
        text += rest
    elif command == "undo":
        text = undo.pop() if undo else text
    elif command == "print":
        print(text)
`;
  const description =
    "An editor.\n- `append TEXT` adds TEXT\n- `undo` takes back the last change\n- `print` prints the text";
  const wrong = reference.replace("undo.pop() if undo else text", "text[:-1]");
  const ran = await observe({ reference, description, candidates: [wrong] }, 40);
  expect(inputsOf(ran).some((text) => /append[\s\S]*undo[\s\S]*print/.test(text))).toBe(true);
  expect(ran.observed.candidates[0]!.agrees).toContain(false);
});
