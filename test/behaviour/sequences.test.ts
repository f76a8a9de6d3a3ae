import { afterAll, describe, expect, it } from "vitest";
import { classesOf, methodsOf } from "../../src/behaviour/classes.ts";
import { printCalls } from "../../src/behaviour/constraints/calls.ts";
import { counterexamplesOf } from "../../src/behaviour/index.ts";
import { sequences } from "../../src/behaviour/sequences.ts";
import { shownCallsOf } from "../../src/behaviour/shown-calls.ts";
import type { Task } from "../../src/behaviour/types.ts";
import { cpuS } from "../cpu.ts";
import { closeExecutor, executor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const STACK = `class Stack:
    def __init__(self):
        self.items = []
    def push(self, x):
        self.items.append(x)
        return self
    def pop(self):
        return self.items.pop()
    def all(self):
        return self.items
    @property
    def size(self):
        return len(self.items)
`;

async function agreeing(task: Partial<Task> & { reference: string }): Promise<boolean[]> {
  const ran = await observe(task, 40);
  expect(ran.run.inputs.entry).toMatchObject({ shows: "calls" });
  return ran.observed.candidates.map(({ agrees }) => agrees!.every(Boolean));
}

describe("a class", () => {
  it("is made and its methods are called in turn, without calls on which the reference raises", async () => {
    const ran = await observe({ reference: STACK }, 40);
    expect(inputsOf(ran).length).toBeGreaterThan(20);
    for (const args of inputsOf(ran)) expect(args).toMatch(/^\[\('Stack',\), /);
    const methods = new Set(inputsOf(ran).flatMap((args) => args.match(/(?<=\(')\w+/g) ?? []));
    expect([...methods].sort()).toEqual(["Stack", "all", "pop", "push", "size"]);
  });

  it.each([
    "called with non-decreasing times",
    "called with the time, never decreasing between calls",
    "called with times that do not decrease",
    "called with times that never go back",
  ])("gets times in ascending order if it is %s", async (asked) => {
    const reference = `class Log:
    def __init__(self):
        self.times = []
    def add(self, t: int) -> int:
        self.times.append(t)
        return len(self.times)
    def since(self, t: int) -> int:
        return sum(x >= t for x in self.times)
`;
    const description = `A log of events. Both methods are ${asked}.`;
    const ran = await observe({ reference, description }, 20);
    expect(inputsOf(ran).length).toBeGreaterThan(10);
    for (const args of inputsOf(ran)) {
      const times = [...args.matchAll(/'(?:add|since)', (-?\d+)\)/g)].map(([, t]) => Number(t));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it("agrees with one that keeps its data otherwise, not with one that forgets", async () => {
    const linked = STACK.replace("self.items = []", "self.items, self.old = list(), None").replace(
      "return self.items\n",
      "return list(self.items)\n",
    );
    const queue = STACK.replace("self.items.pop()", "self.items.pop(0)");
    expect(await agreeing({ reference: STACK, candidates: [linked, queue] })).toEqual([true, false]);
  });

  it("gets what its constructor needs, and keys that return", async () => {
    const cache = (oldest: string): string => `class Cache:
    def __init__(self, capacity: int):
        self.capacity, self.data = capacity, {}
    def get(self, key: int) -> int:
        if key not in self.data: return -1
        self.data[key] = self.data.pop(key)
        return self.data[key]
    def put(self, key: int, value: int) -> None:
        self.data.pop(key, None)
        self.data[key] = value
        if len(self.data) > self.capacity: del self.data[${oldest}]
`;
    const candidates = [cache("next(iter(self.data))"), cache("list(self.data)[-1]")];
    expect(await agreeing({ reference: cache("list(self.data)[0]"), candidates })).toEqual([true, false]);
  });

  it("has counterexamples that read as calls", async () => {
    const task: Task = {
      reference: STACK,
      description: null,
      candidates: [STACK.replace("self.items.pop()", "self.items.pop(0)")],
    };
    const { observed } = await observe(task, 40);
    const found = await counterexamplesOf(task, observed, await executor())(0);
    expect(found!.input).toMatch(/^Stack\(\); push\(.+\); push\(.+\); pop\(\)$/);
    expect(found!.expected).toMatch(/^\['self', 'self', .+\]$/);
  });

  it("is judged by one method if that is the entry point", async () => {
    const { run } = await observe({ reference: STACK, entryPoint: "Stack.pop" });
    expect(run.inputs.entry).toEqual({ kind: "call", name: "Stack().pop" });
    const whole = await observe({ reference: STACK, entryPoint: "Stack" });
    expect(whole.run.inputs.entry).toMatchObject({ name: "Stack", shows: "calls" });
  });
});

it("gives parameters values of their likeliest kind alone, if the class takes them", async () => {
  const reference = `class Queue:
    def __init__(self, limit):
        self.limit, self.items = limit, {}
    def add(self, name):
        self.items[name] = len(self.items) < 3
        return self.items[name]
    def cancel(self, name):
        return self.items.pop(name, None)
`;
  const ran = await observe({ reference }, 40);
  expect(inputsOf(ran).length).toBeGreaterThan(10);
  for (const args of inputsOf(ran)) expect(args).not.toMatch(/\[\d|\('(?:add|cancel)', (?:\d|\{|\()/);
});

it("calls the methods that a description names, and `len` where it is named", async () => {
  const reference = `class Bag:
    def __init__(self):
        self.items = []
    def add(self, n: int) -> int:
        self.items.append(n)
        return n
    def helper(self) -> int:
        return 1
    def __len__(self):
        return len(self.items)
`;
  const description = "Write a class `Bag` with `add(n)`, which returns n; `len(bag)` is the number of items.";
  const ran = await observe({ reference, description }, 20);
  const called = new Set(inputsOf(ran).flatMap((args) => args.match(/(?<=\(')\w+/g) ?? []));
  expect([...called].sort()).toEqual(["Bag", "__len__", "add"]);
});

it("lets the methods of an object share keys, and the constructor's dictionary hold them", async () => {
  const reference = `class Budget:
    def __init__(self, limits):
        self.left = dict(limits)
    def spend(self, name, amount):
        self.left[name] -= amount
        return self.left[name]
    def move(self, source, target, amount):
        self.left[source] -= amount
        self.left[target] += amount
        return self.left[target]
`;
  const taking = reference.replace("self.left[source] -= amount", "pass");
  const ran = await observe({ reference, candidates: [taking] }, 20);
  expect(inputsOf(ran).some((args) => /'move'/.test(args))).toBe(true);
  expect(ran.observed.candidates[0]!.agrees!.every(Boolean)).toBe(false);
});

it("calls the function that a function returns", async () => {
  const reference = `def make_counter(start, step):
    value = start
    def count(times):
        nonlocal value
        value += step * times
        return value
    return count
`;
  const forgets = reference.replace("value += step * times", "value = start + step * times");
  const description =
    "make_counter(start, step) returns a function that takes times (int, 1 or more) and adds step times.";
  const task = { reference, description, candidates: [reference, forgets] };
  const ran = await observe(task, 20);
  expect(inputsOf(ran).length).toBeGreaterThan(10);
  for (const args of inputsOf(ran))
    expect(args).toMatch(/^\[\('make_counter', -?\d+, -?\d+\)(?:, \('__call__', \d+\))+\]$/);
  expect(ran.observed.candidates.map(({ agrees }) => agrees!.every(Boolean))).toEqual([true, false]);
  const found = await counterexamplesOf({ ...task, entryPoint: null }, ran.observed, await executor())(1);
  expect(found!.input).toMatch(/^f = make_counter\(.*\); f\(\d+\); f\(\d+\)$/);
});

it("calls methods with the records that their code reads", async () => {
  const reference = `class Cart:
    def __init__(self):
        self.total = 0
    def add(self, line):
        self.total += line["price"] * line["units"]
        return self.total
`;
  const ran = await observe({ reference }, 10);
  for (const args of inputsOf(ran)) expect(args).toMatch(/'add', \{'price': \d+, 'units': \d+\}/);
});

describe("calls that a description shows", () => {
  const LIMITER = `from collections import defaultdict
class Limiter:
    def __init__(self, limit, window):
        self.limit, self.window, self.log = limit, window, defaultdict(list)
    def allow(self, user, t):
        log = self.log[user] = [s for s in self.log[user] if t - s < self.window]
        if len(log) < self.limit:
            log.append(t)
            return True
        return False
`;
  const description =
    'Times do not decrease. With Limiter(2, 10): allow("a", 0), allow("a", 1) are True, limiter.allow("a", 9) is False, allow("a", 10) is True.';

  it("are a sequence, from the constructor on", async () => {
    const shown = "[('Limiter', 2, 10), ('allow', 'a', 0), ('allow', 'a', 1), ('allow', 'a', 9), ('allow', 'a', 10)]";
    const methods = methodsOf(classesOf(LIMITER)[0]!, description);
    expect(shownCallsOf(methods, description).sequences.map(printCalls)).toEqual([shown]);
    const task = { reference: LIMITER, description, candidates: [] };
    const found = await sequences(task, classesOf(LIMITER)[0]!, await executor(), {
      count: 5,
      seed: 0,
      limit: { steps: 20_000, cpuS: 1 },
    });
    expect(found).toContainEqual({ args: shown });
    const off = LIMITER.replace("t - s < self", "t - s <= self");
    expect(await agreeing({ reference: LIMITER, description, candidates: [off] })).toEqual([false]);
  });

  it("give parameters values and types", async () => {
    const { values } = shownCallsOf(methodsOf(classesOf(LIMITER)[0]!, description), description);
    expect(
      [...values].map(([name, all]) => [name, all.map((value) => ("v" in value ? value.v : null)).join()]),
    ).toEqual([
      ["limit", "2"],
      ["window", "10"],
      ["user", "a,a,a,a"],
      ["t", "0,1,9,10"],
    ]);
    const ids =
      "class Ids:\n    def __init__(self):\n        self.all = []\n    def add(self, x):\n        self.all.append(x)\n        return len(self.all)\n";
    const ran = await observe({ reference: ids, description: 'For example Ids(), then add("x7") is 1.' }, 20);
    expect(inputsOf(ran).length).toBeGreaterThan(10);
    for (const args of inputsOf(ran)) expect(args).not.toMatch(/'add', (?!')/);
  });

  it("are left out if their arguments are no literals, too many or too few, and are read in time", () => {
    const methods = methodsOf(classesOf(LIMITER)[0]!, "");
    for (const text of [
      "Limiter(n, 10); allow('a', 1)",
      "Limiter(1, 2, 3); allow('a', 1)",
      "Limiter(1, 2); allow('a')",
    ])
      expect(shownCallsOf(methods, text).sequences).toEqual([]);
    const start = cpuS();
    shownCallsOf(methods, "allow(".repeat(50_000));
    shownCallsOf(methods, "Limiter(1, 2) ".repeat(50_000));
    expect(cpuS() - start).toBeLessThan(2);
  });
});
