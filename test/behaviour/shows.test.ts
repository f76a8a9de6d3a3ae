import { afterAll, describe, expect, it } from "vitest";
import { setupOf } from "../../src/behaviour/entry.ts";
import { counterexamplesOf } from "../../src/behaviour/index.ts";
import { nodesOf } from "../../src/behaviour/nodes/index.ts";
import { callOf, forbidsChanges, helperOf, type Shows } from "../../src/behaviour/shows.ts";
import { openExecutor } from "../../src/execute/index.ts";
import { closeExecutor, executor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

/** Whether each candidate gives the reference's answer to every input. */
async function agreeing(reference: string, candidates: readonly string[], description: string | null = null) {
  const ran = await observe({ reference, candidates, description });
  expect(inputsOf(ran).length).toBeGreaterThan(9);
  return ran.observed.candidates.map(({ agrees }) => agrees!.every(Boolean));
}

describe("what a call shows if not its value", () => {
  it("the items of a generator, of an iterator, and the first of an endless one", async () => {
    const right = "def f(xs: list[int]):\n    return [x * 2 for x in xs]";
    const wrong = "def f(xs: list[int]):\n    return [x + x for x in xs[1:]]";
    for (const body of [
      "for x in xs: yield x * 2",
      "return map(lambda x: 2 * x, xs)",
      "return iter([2 * x for x in xs])",
    ])
      expect(await agreeing(`def f(xs: list[int]):\n    ${body}`, [right, wrong])).toEqual([true, false]);
    const endless = (start: string): string =>
      `def f(n: int):\n    i = ${start}\n    while True:\n        yield i\n        i += 1`;
    expect(await agreeing(endless("n"), [endless("n + 0"), endless("n + 1")])).toEqual([true, false]);
  });

  it("that arguments are as they were, if the description says so", async () => {
    const reference = "def f(xs: list[int]):\n    return sorted(xs)[:2]";
    const sorting = "def f(xs):\n    xs.sort()\n    return xs[:2]";
    const copying = "def f(xs):\n    xs = list(xs)\n    xs.sort()\n    return xs[:2]";
    expect(await agreeing(reference, [sorting, copying], "The two smallest numbers.")).toEqual([true, true]);
    expect(
      await agreeing(reference, [sorting, copying], "The two smallest numbers. Do not modify the input list."),
    ).toEqual([false, true]);
  });

  it.each([
    ["It must not modify the input.", true],
    ["Work without changing its arguments.", true],
    ["`rows` must not be changed.", true],
    ["The given list stays unchanged.", true],
    ["If the text is short, return it unchanged.", false],
    ["Do not change the order.", false],
    ["The price of an item changes.", false],
  ])("reads: %s", (description, expected) => {
    expect(forbidsChanges(description)).toBe(expected);
  });

  it("what a coroutine gives; sleeping takes no time", async () => {
    const reference = [
      "import asyncio",
      "async def f(xs: list[int]):",
      "    async def double(x):",
      "        await asyncio.sleep(60)",
      "        return 2 * x",
      "    return list(await asyncio.gather(*(double(x) for x in xs)))",
    ].join("\n");
    const right = "async def f(xs):\n    return [x + x for x in xs]";
    const wrong = "async def f(xs):\n    return sorted(x + x for x in xs)";
    const plain = "def f(xs):\n    return [x + x for x in xs]";
    expect(await agreeing(reference, [right, wrong, plain])).toEqual([true, false, false]);
  });

  it("what a function prints that returns nothing", async () => {
    const printing = (body: string): string => `def f(n: int) -> None:\n    ${body}`;
    const right = printing("import sys\n    sys.stdout.write(str(n) + '\\n')");
    const candidates = [right, printing("print(n + 1)"), printing("pass"), printing("return n")];
    expect(await agreeing(printing("print(n)"), candidates)).toEqual([true, false, false, false]);
  });

  it("the arguments first, if it changes them and prints", async () => {
    const reference = "def f(xs: list[int]) -> None:\n    xs.sort()\n    print('sorted')";
    const candidates = ["def f(xs):\n    xs.sort()", "def f(xs):\n    print('sorted')"];
    expect(await agreeing(reference, candidates)).toEqual([true, false]);
  });
});

it.each([
  ["a description", "def f(start, days):\n", "Adds days to start, a datetime.date; days is an int of at least 0."],
  ["an annotation", "from datetime import date\ndef f(start: date, days: int) -> date:\n", "Adds days to start."],
])("takes dates that %s names", async (_, head, description) => {
  const body = "    import datetime\n    return start + datetime.timedelta(days=days)\n";
  const month = "    return start.replace(day=min(28, start.day + days))\n";
  const task = { reference: head + body, description, candidates: [head + body, head + month] };
  const ran = await observe(task, 20);
  expect(ran.run.inputs.entry).toMatchObject({ shows: "dated" });
  expect(inputsOf(ran).length).toBeGreaterThan(10);
  expect(ran.observed.candidates.map(({ agrees }) => agrees!.every(Boolean))).toEqual([true, false]);
  const found = await counterexamplesOf({ ...task, entryPoint: null }, ran.observed, await executor())(1);
  expect(found!.input).toMatch(/^f\(date\(\d{4}, \d+, \d+\), -?\d+\)$/);
});

it("is the same in WebAssembly", async () => {
  const wasm = await openExecutor({ sandbox: "wasm", workers: 1 });
  const answersTo = async (shows: Shows, code: string, args: string): Promise<string> => {
    const [answer] = await wasm.answers(
      { code, entryPoint: callOf("f", shows), setup: helperOf(shows) },
      [{ args }],
      2,
    );
    return answer!.outcome === "ok" ? answer!.text : JSON.stringify(answer);
  };
  try {
    const sleeping = "import asyncio\nasync def f(n):\n    await asyncio.sleep(60)\n    return n";
    expect(await answersTo("result", sleeping, "1")).toBe("1");
    expect(await answersTo("printed", "def f(n): print(n)", "1")).toBe('"1\\n"');
    expect(await answersTo("items", "def f(n): yield n", "1")).toBe('["l",[1]]');
    expect(await answersTo("arguments", "def f(xs): xs.sort()", "[2, 1]")).toBe('["l",[1,2]]');
    expect(await answersTo("dated", "def f(day, n): return day.isoformat(), n", "'2024-03-01', 'x'")).toBe(
      '["t",["2024-03-01","x"]]',
    );
    const nodes = nodesOf(
      { reference: "def f(a: ListNode) -> ListNode: ...", description: null, candidates: [] },
      { kind: "call", name: "f" },
    )!;
    const next = { kind: "call", name: "f", shows: "nodes", nodes } as const;
    const [rest] = await wasm.answers(
      { code: "def f(a): return a.next", entryPoint: callOf("f", "nodes"), setup: setupOf(next) },
      [{ args: "[1, 2, 3]" }],
      2,
    );
    expect(rest).toMatchObject({ outcome: "ok", text: '["l",[2,3]]' });
    const counter = "class f:\n    n = 0\n    def add(self):\n        self.n += 1\n        return self.n";
    expect(await answersTo("calls", counter, "[('f',), ('add',), ('add',)]")).toBe('["l",[1,2]]');
  } finally {
    await wasm.close();
  }
});

describe("exceptions", () => {
  const reference = "def f(n: int):\n    if n < 0 or n > 9: raise ValueError(n)\n    return n * 2";
  const right = "def f(n):\n    if 0 <= n <= 9: return n + n\n    raise ValueError";
  const custom = "class Bad(ValueError): pass\ndef f(n):\n    if 0 <= n <= 9: return n + n\n    raise Bad('no')";
  const other = "def f(n):\n    if 0 <= n <= 9: return n + n\n    raise TypeError";
  const none = "def f(n):\n    return n + n";
  const candidates = [right, custom, other, none];

  it("that the task announces are answers; a class of its own may extend a built-in one", async () => {
    expect(await agreeing(reference, candidates, "Double n; raise ValueError unless it is a digit.")).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await agreeing(reference, candidates)).toEqual([true, true, false, false]);
  });

  it("that it does not announce show that inputs are not valid", async () => {
    expect(await agreeing(reference, candidates, "The double of a digit n.")).toEqual([true, true, true, true]);
  });

  it("are not if the docstring of the reference mentions none, whatever it quotes", async () => {
    const body = reference.split("\n").slice(1).join("\n");
    const documented = (text: string): string => `def f(n: int):\n    """${text}"""\n${body}`;
    expect(await agreeing(documented('The "double" of a digit.'), [none])).toEqual([true]);
    expect(await agreeing(documented('The "double" of a digit. Raises ValueError.'), [none])).toEqual([false]);
  });

  it("are at most a fifth of the inputs", async () => {
    const { run } = await observe({ reference }, 40);
    const raised = run.inputs.known.filter(({ answer }) => answer!.text.includes("raised"));
    expect(raised.length).toBeGreaterThan(0);
    expect(raised.length).toBeLessThanOrEqual(run.inputs.known.length / 5);
  });
});

describe("any number of arguments", () => {
  it("of a function with *args, none among them", async () => {
    const ran = await observe({ reference: "def f(*nums):\n    return sum(nums) / len(nums) if nums else 0" }, 40);
    const counts = new Set(inputsOf(ran).map((args) => (args === "" ? 0 : args.split(",").length)));
    for (const count of [0, 1, 2, 3]) expect(counts).toContain(count);
  });

  it("after others", async () => {
    const reference = "def f(text, *words):\n    return [text.count(w) for w in words]";
    const candidates = ["def f(text, *words):\n    return [text.count(w) for w in words[:2]]"];
    expect(await agreeing(reference, candidates)).toEqual([false]);
  });

  it("by keyword, not sorted", async () => {
    const reference = "def f(base: str, **more):\n    return base + ','.join(f'{k}={more[k]}' for k in sorted(more))";
    const candidates = ["def f(base, **more):\n    return base + ','.join(f'{k}={v}' for k, v in more.items())"];
    expect(await agreeing(reference, candidates)).toEqual([false]);
  });
});

it("rows of a matrix have equal lengths, also in a counterexample", async () => {
  const reference = "def f(m: list[list[int]]):\n    return [list(r) for r in zip(*m)]";
  const ran = await observe({ reference }, 40);
  const rows = ran.run.inputs.known.map(
    ({ input }) => JSON.parse(`[${"args" in input ? input.args : ""}]`)[0] as unknown[][],
  );
  const ragged = rows.filter((matrix) => new Set(matrix.map((row) => row.length)).size > 1);
  expect(rows.filter((matrix) => matrix.length > 1).length).toBeGreaterThan(5);
  expect(ragged.length).toBeLessThan(rows.length / 3);
});

it("half of the inputs made without examples are usual", async () => {
  const { run } = await observe({ reference: "def f(xs: list[int]):\n    return sum(xs)" }, 40);
  expect(run.inputs.unusual.filter((one) => !one).length).toBeGreaterThan(15);
});

describe("a function that the description does not name", () => {
  const reference = "def count_words(text: str):\n    return len(text.split())";
  const other = "def helper(s):\n    return s.split()\ndef words(s):\n    return len(helper(s))";
  const wrong = "def words(s):\n    return len(s)";

  it("may have another name, if no candidate has the reference's", async () => {
    const description = "The number of words of a text.";
    expect(await agreeing(reference, [other, wrong], description)).toEqual([true, false]);
    const named = reference.replace("text.split()", "text.split() or []");
    expect(await agreeing(reference, [other, wrong, named], description)).toEqual([false, false, true]);
    expect(await agreeing(reference, [other], description)).toEqual([false]);
  });

  it("must have the name that the description or the entry point gives", async () => {
    expect(await agreeing(reference, [other, wrong], "count_words: the number of words")).toEqual([false, false]);
    const { observed } = await observe({ reference, candidates: [other, wrong], entryPoint: "count_words" });
    for (const { agrees } of observed.candidates) expect(agrees!.some(Boolean)).toBe(false);
  });
});

it("texts that the description quotes are inputs", async () => {
  const description = "The initials of a name, such as \"Émile Zola\" and 'Ben Jonson'.";
  const reference = "def initials(name: str):\n    return ''.join(w[0] + '.' for w in name.split())";
  const ran = await observe({ reference, description }, 40);
  for (const text of ["'Émile Zola'", "'Ben Jonson'"]) expect(inputsOf(ran)).toContain(text);
});
