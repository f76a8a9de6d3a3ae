/** Standard input in the forms that a description has in quotes. */
import { afterAll, expect, it } from "vitest";
import { textsOf } from "../../src/behaviour/line-forms.ts";
import { headerIn } from "../../src/behaviour/places.ts";
import { cpuS } from "../cpu.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const ACCOUNTS = `import sys
balance = {}
for line in sys.stdin:
    p = line.split()
    if not p: continue
    if p[0] == "deposit": balance[p[1]] = balance.get(p[1], 0) + int(p[2])
    elif p[0] == "close":
        if balance.get(p[1], 0): print("refused", p[1])
        else: balance.pop(p[1], None)
    elif balance.get(p[1], 0) < int(p[2]): print("refused", p[1])
    else: balance[p[1]] -= int(p[2])
for name in sorted(balance): print(name, balance[name])
`;

it.each<[string, string, string, RegExp]>([
  [
    "commands",
    ACCOUNTS,
    'One command per line: "deposit NAME AMOUNT", "withdraw NAME AMOUNT" or "close NAME". At the end print "NAME BALANCE".',
    /^(?:(?:deposit|withdraw) \w+ \d+|close \w+)$/,
  ],
  [
    "times",
    "import sys\ntotal = 0\nfor line in sys.stdin:\n    t, kind = line.split()\n    h, m = map(int, t.split(':'))\n    total += (h * 60 + m) * (1 if kind == 'out' else -1)\nprint(total)\n",
    'Clock events in the order of the day, one per line: "HH:MM in" or "HH:MM out".',
    /^\d\d:\d\d (?:in|out)$/,
  ],
  [
    "decimals",
    "import sys\ntotals = {}\nfor line in sys.stdin:\n    name, amount = line.split(';')\n    totals[name] = totals.get(name, 0) + int(amount.replace('.', ''))\nfor name in sorted(totals): print(name, totals[name])\n",
    'One entry per line in the form "category;amount", with exactly two decimals such as 12.50.',
    /^[\w ]+;\d+\.\d\d$/,
  ],
  [
    "an example of a line",
    "import sys\nfor line in sys.stdin:\n    _, path, status = line.split()\n    if 200 <= int(status) <= 299: print(path.split('?')[0])\n",
    'Each line has a method, a path and a status code, e.g. "GET /index.html?x=1 200".',
    /^GET \/\S* \d+$/,
  ],
  [
    "choices",
    "import sys\nn = 0\nfor line in sys.stdin:\n    day, time, level, text = line.split(maxsplit=3)\n    if level == 'ERROR': print(day, time[:2])\n",
    "Each line has the form `YYYY-MM-DD HH:MM:SS LEVEL message`, where LEVEL is one of DEBUG, INFO, ERROR and the message is any text.",
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:DEBUG|INFO|ERROR) \w+$/,
  ],
  [
    "a counted table",
    "total = 0\nfor _ in range(int(input())):\n    qty, price, name = input().split(';')\n    total += int(qty) * int(price.replace('.', ''))\nprint(total)\n",
    "The first line is the number of items, then follow lines `quantity;price;name` with exactly two decimals (0.01 or more).",
    /^(?:\d+|\d+;\d+\.\d\d;\w+)$/,
  ],
  [
    "words that the description speaks of",
    "import sys\nlast = 0\nfor line in sys.stdin:\n    head, text = line.strip().split(': ', 1)\n    time, name = head.split()\n    print(name, len(text.split()), time[:2])\n",
    "Every line has the form `HH:MM name: text`, with a name without spaces and a text of one or more words; times never go back.",
    /^\d\d:\d\d (?:ann|bob|cy): [a-z ]+$/,
  ],
  [
    "commands of which the program names some",
    "stock = {}\nfor _ in range(int(input())):\n    command, code, q = input().split()\n    have = stock.get(code, 0)\n    stock[code] = have + int(q) if command == 'IN' else max(0, have - int(q))\nprint(sorted(stock.items()))\n",
    "The first line of standard input is a whole number n. Then follow `IN code q`, which adds, or `OUT code q`.",
    /^(?:\d+|(?:IN|OUT) \w+ \d+)$/,
  ],
  [
    "a last one",
    "total = 0\nwhile True:\n    line = input()\n    if line == 'END': break\n    name, n = line.split()\n    total += int(n)\nprint(total)\n",
    'Read lines "NAME AMOUNT" until a line `END`.',
    /^(?:\w+ \d+|END)$/,
  ],
])("has lines of %s", async (_, reference, description, line) => {
  const ran = await observe({ reference, description, candidates: [reference] }, 40);
  expect(inputsOf(ran).length).toBeGreaterThanOrEqual(15);
  for (const text of inputsOf(ran)) for (const one of text.trimEnd().split("\n")) expect(one).toMatch(line);
  expect(inputsOf(ran).filter((text) => text.trimEnd().includes("\n")).length).toBeGreaterThan(5);
});

it("has commands that print nothing by themselves", async () => {
  const description = 'One command per line: "deposit NAME AMOUNT" or "close NAME". Prints "refused NAME".';
  const texts = inputsOf(await observe({ reference: ACCOUNTS, description, candidates: [ACCOUNTS] }, 40));
  expect(texts.some((text) => text.includes("close "))).toBe(true);
  expect(texts.filter((text) => text.includes("refused"))).toEqual([]);
});

it("has the levels of the program, dates, times, and blank lines that the description names", async () => {
  const reference = `import sys
counts = {}
for line in sys.stdin:
    if line.strip():
        level = line.split()[2]
        if level in ("INFO", "WARNING", "ERROR"): counts[level] = counts.get(level, 0) + 1
for level in sorted(counts): print(level, counts[level])
`;
  const description = "Each line looks like `2024-03-01 12:00:05 ERROR disk full`. Blank lines are ignored.";
  const texts = inputsOf(await observe({ reference, description, candidates: [reference] }, 40));
  const lines = texts.flatMap((text) => text.trimEnd().split("\n"));
  for (const line of lines) expect(line).toMatch(/^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+ .*)?$/);
  expect(lines).toContain("");
  for (const level of ["INFO", "WARNING", "ERROR"]) expect(lines.some((line) => line.includes(level))).toBe(true);
});

it("is in order where the description says so", async () => {
  const reference = "import sys\nprint(*[line.split()[0] for line in sys.stdin])\n";
  const ran = await observe(
    { reference, description: 'Events in chronological order, one per line: "HH:MM NAME".' },
    40,
  );
  for (const text of inputsOf(ran)) expect(text.trimEnd().split("\n")).toEqual(text.trimEnd().split("\n").toSorted());
});

it("reads long descriptions in time", async () => {
  const tried = (texts: readonly string[]) =>
    Promise.resolve(texts.map(() => ({ answers: [], isAnswered: false, wantsMore: false })));
  const start = cpuS();
  for (const description of [
    '"a b c" '.repeat(20_000),
    `"${"a ".repeat(100_000)}`,
    '"'.repeat(100_000),
    '"<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<" '.repeat(5000),
  ])
    expect(await textsOf(tried, { reference: "print(input())", description, candidates: [] }, 0)).toEqual([]);
  expect(cpuS() - start).toBeLessThan(3);
});

it("a table has the header that the description names, and lines of its columns", async () => {
  const reference =
    "import csv, sys\nbest = {}\nfor row in csv.DictReader(sys.stdin):\n    best[row['city']] = max(best.get(row['city'], -99), float(row['temp']))\nfor city in sorted(best): print(city, best[city])\n";
  const ran = await observe(
    { reference, description: 'CSV data with a header line "date,city,temp". Print the highest temp of each city.' },
    20,
  );
  expect(inputsOf(ran).length).toBeGreaterThanOrEqual(10);
  for (const text of inputsOf(ran)) expect(text).toMatch(/^date,city,temp\n(?:\d{4}-\d\d-\d\d,\w+,\d+\n)+$/);
});

it("a last line with a date is later than the others, which are in order", async () => {
  const reference =
    "import sys\nfrom datetime import datetime\nlast = None\nfor line in sys.stdin:\n    day, time, what = line.split()[:3]\n    t = datetime.strptime(day + time, '%Y-%m-%d%H:%M')\n    if what == 'login': print(line.split()[3])\n    last = t\nprint(last)\n";
  const description =
    "Events sorted by time, one per line: `2024-05-01 09:15 login ann` or `... logout ann`. The last line of the input is `2024-05-02 18:00 shutdown`.";
  const ran = await observe({ reference, description }, 20);
  expect(inputsOf(ran).length).toBeGreaterThanOrEqual(10);
  for (const text of inputsOf(ran)) {
    const lines = text.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^\d{4}-05-02 18:00 shutdown$/);
    expect(lines).toEqual(lines.toSorted());
  }
});

it.each([
  ['CSV data with a header line "date,city,temp".', "date,city,temp"],
  ["The header is `name;points`.", "name;points"],
  ['Print a table with the header "name,total".', undefined],
  ["The header says what follows.", undefined],
])("the header of the input in %j is %j", (description, line) => expect(headerIn(description)?.line).toBe(line));
