/** The effects of the executor's options: strict types, hash seeds, time limits based on the reference, reruns without load. */
import { describe, expect, it, onTestFinished } from "vitest";
import { type Executor, type ExecutorOptions, workersIn } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { bwrapWorks, open, openShared, problem, sandboxes, stdio } from "./open.ts";

async function executorWith(...args: Parameters<typeof open>): Promise<Executor> {
  const executor = await open(...args);
  onTestFinished(() => executor.close());
  return executor;
}

const outcomes = async (executor: Executor, task: Problem, code: string): Promise<string[]> =>
  (await executor.execute(task, code)).verdicts.map(({ outcome }) => outcome);

/** A program that takes this much CPU time. */
const burn = (seconds: number): string =>
  `import time\ndef f(x):\n    end = time.process_time() + ${seconds}\n    while time.process_time() < end: pass\n    return x\n`;

it.each([
  ["wasm", 3.5, 8, 3],
  ["wasm", 64, 8, 8],
  ["wasm", 0.5, 8, 1],
  ["landlock", 3.5, 8, 8],
] as const)("%s with %s GiB and %i cores has %i workers", (kind, gib, cores, workers) => {
  expect(workersIn(kind, gib * 2 ** 30, cores)).toBe(workers);
});

// The code that compares answers is the same for all sandboxes, so one is enough.
describe.each(sandboxes.slice(0, 1))("options in %s", (sandbox) => {
  it("strictTypes tells 1, True and 1.0 apart, in containers too", async () => {
    const tests = ["assert f(0) == 1", "assert f(1) == [True]", "assert f(2) == {1: 2.0}"];
    const code = "def f(x): return [1.0, [1], {True: 2}][x]";
    const exact = "def f(x): return [1, [True], {1: 2.0}][x]";
    expect(await outcomes(await openShared(sandbox), problem("f", tests), code)).toEqual(["pass", "pass", "pass"]);
    const strict = await executorWith(sandbox, { limits: { strictTypes: true } });
    expect(await outcomes(strict, problem("f", tests), code)).toEqual(["fail", "fail", "fail"]);
    expect(await outcomes(strict, problem("f", tests), exact)).toEqual(["pass", "pass", "pass"]);
  });
});

describe.each(sandboxes)("options in %s", (sandbox) => {
  it("a stdio program ends with its threads and with what it registered with atexit", async () => {
    const code = `
import atexit, io, sys, threading
held, sys.stdout = sys.stdout, io.StringIO()
atexit.register(lambda: held.write(sys.stdout.getvalue()))
${sandbox === "wasm" ? "print(input() * 2)" : "threading.Thread(target=lambda: print(input() * 2)).start()"}
`;
    const task = problem(null, [stdio("0", "ab\n", "abab\n")]);
    expect(await outcomes(await openShared(sandbox), task, code)).toEqual(["pass"]);
  });
});

describe.skipIf(!bwrapWorks)("options in bwrap", () => {
  it("hashSeed changes the order of sets", async () => {
    const program = { code: "def f(x): return list(set('abcdefgh'))", entryPoint: "f", setup: "" };
    const order = async (options: ExecutorOptions): Promise<string> =>
      JSON.stringify(await (await executorWith("bwrap", options)).answers(program, [{ args: "1" }]), (key, value) =>
        key === "cpuS" ? undefined : value,
      );
    expect(await order({ hashSeed: 1 })).not.toBe(await order({}));
    expect(await order({})).toBe(await order({ hashSeed: 0 }));
  });

  it("a slow reference grants its multiple to every candidate, whichever comes first", async () => {
    const task = problem("f", ["assert f(1) == 1", "assert f(2) == 2"], { references: [burn(0.06)] });
    const executor = await executorWith("bwrap");
    expect(await outcomes(executor, task, burn(0.25))).toEqual(["pass", "pass"]);
    expect(await outcomes(executor, task, burn(1.5))).toEqual(["timeout", "timeout"]);
    const quick = problem("f", ["assert f(1) == 1"], { references: ["def f(x): return x"] });
    expect(await outcomes(executor, quick, burn(0.25))).toEqual(["timeout"]);
  });

  it("what ends a little over its time runs again when nothing else does, and that is the last word", async () => {
    const executor = await executorWith("bwrap", { workers: 2 });
    const long = problem("f", ["assert f(1) == 1"], { references: [burn(0.2)] });
    const short = problem("f", ["assert f(1) == 1"], { references: ["def f(x): return x"] });
    await executor.execute(long, burn(0.15)); // from now on its reference's time is known
    await executor.execute(short, burn(0.3));
    const until = Date.now() / 1000 + 0.9;
    const early = burn(0.12).replace("    end =", `    if time.time() > ${until}: return x\n    end =`);
    const beside = executor.execute(long, burn(1.3)); // still running after the first attempt of the other one
    expect(await outcomes(executor, short, early)).toEqual(["pass"]);
    expect((await beside).passRatio).toBe(1);
  });

  it("what is still over its time then is a timeout", async () => {
    const task = problem("f", ["assert f(1) == 1"], { references: ["def f(x): return x"] });
    const executor = await executorWith("bwrap", { workers: 2 });
    const codes = [burn(0.06), burn(0.12), burn(0.13), burn(0.06)];
    expect(await Promise.all(codes.map((code) => outcomes(executor, task, code)))).toEqual([
      ["pass"],
      ["timeout"],
      ["timeout"],
      ["pass"],
    ]);
  });

  it.each([
    ["share its process", ""],
    ["have processes of their own", "import gc\n"],
  ])("a slow program holds up none of those that wait behind it, when they %s", async (_, first) => {
    const task = problem("f", ["assert f(1) == 1"]);
    const executor = await executorWith("bwrap", { workers: 2, limits: { testCpuS: 60 } });
    const slow = `${first}def f(x):\n    for i in range(10 ** 8): pass\n    return x\n`;
    const quick = (i: number): string => `${first}def f(x): return x + ${i % 2}`;
    const ended: string[] = [];
    const run = async (name: string, code: string): Promise<number | null> => {
      const { passRatio } = await executor.execute(task, code);
      ended.push(name);
      return passRatio;
    };
    await run("warm", quick(0)); // both guards have started, and the problem is prepared
    const codes = [slow, ...Array.from({ length: 24 }, (_, i) => quick(i))];
    const ratios = await Promise.all(codes.map((code) => run(code === slow ? "slow" : "quick", code)));
    expect(ratios).toEqual(codes.map((_, i) => (i === 0 ? 1 : i % 2)));
    expect(ended.indexOf("slow")).toBe(codes.length);
  });
});
