import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openProject, type ProjectTests } from "../../../src/execute/index.ts";
import { ProjectReplay } from "../../../src/execute/project/replay.ts";
import { type JudgedRow, type ProjectCalls, type ProjectPass, projectCalls } from "../../../src/rtc/index.ts";
import { placeKey } from "../../../src/rtc/synthesis/project-pass.ts";
import { findSpans, type Span, spanText } from "../../../src/rtc/synthesis/span.ts";
import { bwrapWorks } from "../../execute/open.ts";
import { till, tillTests, writeTill } from "./till.ts";

/** The value from the tests. It differs from all values that `calls` gives. */
const BY_TESTS = 0.5;

describe.skipIf(!bwrapWorks)("calls", () => {
  let folder: string;
  let project: ProjectTests;
  let spans: readonly Span[];
  let calls: ProjectCalls;
  const placed = new Map<string, string>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "calls-test-"));
    project = await openProject({ folder: await writeTill(join(folder, "till")), command: tillTests });
    spans = await findSpans({ path: "till.py", text: till }, { least: 8 });
    const pass: ProjectPass = {
      name: "pass",
      signature: "tests",
      placed,
      test: async () => {
        testing += 1;
        testedAtATime = Math.max(testedAtATime, testing);
        await sleep(20);
        testing -= 1;
        return { value: BY_TESTS, time: { cpu_s: 1, wall_s: 1 } };
      },
      compare: async (pairs) => pairs.map(() => BY_TESTS),
      takeTimes: () => [],
    };
    const counts = { files: 1, test_files: 1, unreadable_files: 0, candidates: 1, reached: null, drawn: 1 };
    const limits = { wallS: 30, cpuS: 5 };
    const baseline = { cpu_s: 1, wall_s: 1 };
    const found = { spans, counts: { ...counts, without_effect: 0 }, baseline, limits, fingerprint: "f" };
    calls = projectCalls({ project, found, pass, out: folder });
  });
  let testing = 0;
  let testedAtATime = 0;
  afterAll(async () => {
    await calls?.close();
    await project?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Judges code that replaces these lines. */
  async function judge(lines: string, code: string): Promise<number> {
    const span = spans.find((one) => spanText(one).trim() === lines.trim());
    if (span === undefined) throw new Error(`no span is ${lines}`);
    const indented = code
      .split("\n")
      .map((line) => (line === "" || line.startsWith("!") ? line.slice(1) : span.indent + line))
      .join("\n");
    placed.set(placeKey(span.id, code), indented);
    const [value] = await calls.compare([{ reference: "", candidate: code, problemId: span.id }]);
    return value!;
  }
  const lastRow = async (): Promise<JudgedRow> =>
    JSON.parse((await readFile(join(folder, "calls.jsonl"), "utf8")).trim().split("\n").at(-1)!) as JudgedRow;

  const cents = "cents = sum(round(price * 100) for price in prices)";
  const entry = 'entry = {"name": name, "price": price}\n    basket.append(entry)';
  const sold = "SOLD.append(name.title())";
  const printed = 'print(entry["name"], entry["price"])';
  const half = "number = number // 2\n        yield number";
  const missing = 'if amount < due:\n        raise ValueError(f"{due - amount} are missing")';
  const changed = "changed = change(price)\n    return round(changed, 2)";
  const cold = 'cold = f"cold {item}"\n        return super().put(cold)';
  const vat = "def vat(price, rate=19):\n    return round(price * rate / 100, 2)";
  const init = "def __init__(self, name):\n        self.__name = name\n        self.items = []";

  it.each<[string, string, string, number]>([
    ["a value", cents, "cents = round(sum(prices) * 100)", 1],
    ["a value", cents, "cents = 0", 0],
    ["a value, in part of the calls", cents, "cents = 400", 0],
    ["an argument that is changed", entry, "basket += [dict(name=name, price=price)]", 1],
    ["an argument that is changed", entry, 'basket.insert(0, {"name": name, "price": price})', 0],
    ["an argument that is replaced", entry, 'basket = basket + [{"name": name, "price": price}]', 0],
    ["the module's data", sold, "SOLD.extend([name.title()])", 1],
    ["the module's data", sold, "SOLD.append(name.upper())", 0],
    ["what is printed", printed, "print(f\"{entry['name']} {entry['price']}\")", 1],
    ["what is printed", printed, 'print(entry["price"])', 0],
    ["what a generator yields", half, "number //= 2\nyield number", 1],
    ["what a generator yields", half, "number //= 3\nyield number", 0],
    ["what a generator yields without end", half, "number += 1\nyield number", 0],
    ["an exception's class, not its message", missing, 'if due > amount:\n    raise ValueError("no")', 1],
    ["an exception's class", missing, "if due > amount:\n    raise KeyError(due)", 0],
    ["a lambda as an argument", changed, "return round(change(price), 2)", 1],
    ["a lambda as an argument", changed, "return price", 0],
    ["super()", cold, 'return super().put("cold " + item)', 1],
    ["super()", cold, "return Shelf.put(self, item)", 0],
    ["a method without super()", cold, 'return Shelf.put(self, "cold " + item)', 1],
    ["a whole function", vat, "def vat(price, rate=19):\n    return round(rate * price / 100, 2)", 1],
    ["a whole function", vat, "def vat(price, rate=19):\n    return price", 0],
    [
      "a method with mangled names",
      init,
      "def __init__(self, name):\n    self.items = list()\n    self.__name = name",
      1,
    ],
    ["a method with mangled names", init, "def __init__(self, name):\n    self.items = []\n    self.name = name", 0],
    ["code that does not compile", cents, "cents = (", 0],
  ])("compare %s: %s -> %s is %d", async (_, lines, code, expected) => {
    expect([await judge(lines, code), (await lastRow()).by]).toEqual([expected, "calls"]);
  });

  it.each<[string, string, string, RegExp]>([
    ["hangs on the clock", "return (name, time.time())", "return (name, 0)", /give other results when replayed/],
    ["takes a generator", "return line.strip().upper()", "return line", /arguments that can be copied/],
    ["is not inside of a function", "SOLD = []", "SOLD = ()", /is in no function/],
    [
      "changes a default",
      vat,
      "def vat(price, rate=7):\n    return round(price * rate / 100, 2)",
      /more than function bodies/,
    ],
    ["defines more", vat, `${vat}\n\nX = 1`, /more than function bodies/],
    ["leaves its function", changed, "return price\n!import os", /it is more than one function/],
  ])("leave it to the tests where code %s", async (_, lines, code, why) => {
    expect(await judge(lines, code)).toBe(BY_TESTS);
    expect(await lastRow()).toMatchObject({ by: "tests", why: expect.stringMatching(why) as string });
  });

  it("let the tests of several candidates run at a time, and keep the order", async () => {
    const [vats, sums] = [vat, cents].map((lines) => spans.find((one) => spanText(one).trim() === lines)!);
    const codes = [1, 2, 3].map((rate) => `def vat(price, rate=${rate}):\n    return price`);
    const pairs = codes.map((candidate) => ({ reference: "", candidate, problemId: vats!.id }));
    for (const code of codes) placed.set(placeKey(vats!.id, code), code);
    placed.set(placeKey(sums!.id, "cents = 0"), "    cents = 0");
    pairs.splice(1, 0, { reference: "", candidate: "cents = 0", problemId: sums!.id });
    testedAtATime = 0;
    expect(await calls.compare(pairs)).toEqual([BY_TESTS, 0, BY_TESTS, BY_TESTS]);
    expect(testedAtATime).toBeGreaterThan(1);
  });

  const answer = JSON.stringify({ value: '["f","4.0"]', after: [null, null], printed: "", cpu: 0 });
  it.each<[string, string]>([
    ["says that it is unfit", 'import os\nos.write(3, b"unfit so\\n")\nos._exit(0)'],
    ["forges an answer", `import os\nos.write(3, b'''${answer}\\n''')\nreturn 4.0`],
    ["answers for all and leaves", `import os\nos.write(3, b'''${answer}\\n${answer}\\n{}\\n''')\nos._exit(0)`],
    [
      "is equal to everything",
      "class Any(float):\n    __eq__ = lambda *_: True\n    __hash__ = float.__hash__\nreturn Any(4)",
    ],
    ["reads its file", "text = open(__file__).read()\nexec(text, globals())\nreturn total(prices, reduction)"],
    [
      "looks for the function in memory",
      "import gc\nfor x in gc.get_objects():\n    if getattr(x, '__name__', '') == 'total':\n        return x.__doc__ and 10000 in x.__code__.co_consts\nreturn None",
    ],
    [
      "looks for answers and drops calls",
      "import sys\nat = sys._getframe()\nwhile at:\n    for x in at.f_locals.values():\n        if isinstance(x, list) and x is not prices:\n            x.clear()\n    at = at.f_back\nreturn 4.0",
    ],
    [
      "patches what writes answers",
      "import builtins, json, os, sys\njson.dumps = os.write = builtins.len = sys.stdout = None\nreturn 4.0",
    ],
    [
      "reads the other process",
      'try:\n    open("/proc/1/mem", "rb")\nexcept PermissionError:\n    return None\nreturn 4.0',
    ],
    ["ends its parents", "import os\nfor pid in (1, os.getppid()):\n    os.kill(pid, 9)\nreturn 4.0"],
    ["forks", "import os\nif os.fork():\n    return 4.0\nreturn 5.0"],
    ["changes the project", 'with open("/project/till.py", "w") as file:\n    file.write("")\nreturn 4.0'],
    ["never ends", "while True:\n    pass"],
    ["sleeps", "import time\ntime.sleep(1e6)"],
    ["writes without end", 'import os\nwhile True:\n    os.write(3, b"x" * 60000)'],
    ["closes its end and stays", "import os, time\nos.close(3)\ntime.sleep(1e6)"],
    ["takes all memory", "return bytearray(1 << 40)"],
  ])("give 0 to one that %s, and go on", async (_, code) => {
    expect([await judge(cents, code), (await lastRow()).by]).toEqual([0, "calls"]);
    expect(await judge(cents, "cents = round(sum(prices) * 100)")).toBe(1);
  });

  it("open a span's scene again after that failed once", async () => {
    await judge(cents, "cents = 0");
    await judge(printed, 'print(entry["price"])');
    vi.spyOn(ProjectReplay.prototype, "open").mockResolvedValueOnce("it does not load");
    expect([await judge(cents, "cents = 1"), (await lastRow()).why]).toEqual([BY_TESTS, "it does not load"]);
    expect([await judge(cents, "cents = round(sum(prices) * 100)"), (await lastRow()).by]).toEqual([1, "calls"]);
  });

  it("show nothing that another candidate left", async () => {
    const left = 'import os\nwith open("/scratch/left", "w") as file:\n    file.write("x")\n';
    expect(await judge(cents, `${left}cents = round(sum(prices) * 100)`)).toBe(1);
    const look = 'import os\nif os.listdir("/scratch"):\n    return None\n';
    expect(await judge(cents, `${look}cents = round(sum(prices) * 100)`)).toBe(1);
  });

  it("tell what differed, and how long each took", async () => {
    await judge(cents, "cents = 0");
    expect((await lastRow()).why).toMatch(/^call 1: 0\.0 instead of 4\.0/);
    const times = calls.takeTimes();
    expect(times.length).toBeGreaterThan(20);
    expect(calls.notes?.()[0]).toMatch(/^calls judged \d+ candidates$/);
  });
});
