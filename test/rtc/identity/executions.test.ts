/** A run executes each program only once, even if it is killed and restarted several times. */
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../../src/execute/index.ts";
import { openExecutions } from "../../../src/rtc/identity/executions.ts";
import { identityChain, identityTasks, openSimilarity, replayLlm } from "../../../src/rtc/index.ts";
import type { Problem } from "../../../src/types.ts";
import { bundled } from "../../bundled.ts";
import { chained, recording, watched } from "../executed.ts";

const script = bundled(new URL("killed-executions.ts", import.meta.url));

let executor: Executor;
let folder: string;
beforeAll(async () => {
  executor = await openExecutor({ workers: 1 });
});
afterAll(() => executor.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "executions-"));
  await writeFile(join(folder, "recording.jsonl"), recording);
});
afterEach(() => rm(folder, { recursive: true }));

describe("what programs did", () => {
  const [problem] = chained as [Problem];
  const program = `def first(x):
    if x < 0: raise KeyError("lone \\ud800")
    return {0: [-0.0, 1e999, float("nan"), 3.0, 2j], "k": (10 ** 40, True, None, b"\\x00", {1}), 2: print}
`;
  const path = () => join(folder, "executions.jsonl");

  /** The result of a separate process, and the programs that it executed for it. */
  async function found(by: Executor, what = problem) {
    const executed: string[] = [];
    const executions = await openExecutions(
      path(),
      watched(by, (code) => executed.push(code)),
    );
    const inputs = await executions.inputs(what, "def first(x):\n    pass\n", [program]);
    const [one, other] = await Promise.all([1, 2].map(() => executions.behaviour(what, program, inputs)));
    await executions.close();
    expect(other).toBe(one);
    return { inputs, behaviour: one, executed };
  }

  it("is the same when it is read again, values that JSON does not have included, and nothing is executed", async () => {
    const first = await found(executor);
    expect(first.executed).toHaveLength(3); // the contract, the tests, the answers
    expect(first.behaviour!.answers.map(({ outcome }) => outcome)).toEqual(["ok", "error"]);
    const again = await found(executor);
    expect(again).toEqual({ ...first, executed: [] });
    expect(again.behaviour!.answers[0]).toMatchObject({
      value: { v: [[{ v: 0n }, { v: [{ v: -0 }, {}, {}, {}, {}] }], {}, {}] },
    });
  });

  it("is found anew under other limits, for another problem, and where a kill tore the line", async () => {
    await found(executor);
    const strict = watched(
      { ...watched(executor, () => {}), limits: { ...executor.limits, strictTypes: true } },
      () => {},
    );
    expect((await found(strict)).executed).toHaveLength(3);
    expect((await found(executor, { ...problem, tests: problem.tests.slice(1) })).executed).toHaveLength(3);
    const lines = (await readFile(path(), "utf8")).split("\n").slice(0, 2);
    await writeFile(path(), `${lines[0]}\n${lines[1]!.slice(0, -9)}`);
    expect((await found(executor)).executed).toHaveLength(2);
    expect((await found(executor)).executed).toEqual([]);
  });

  it("is of its own programs where the tests give no input and inputs are generated", async () => {
    const what = {
      ...problem,
      references: [],
      contract: "",
      tests: [{ ...problem.tests[0]!, kind: "assert", code: "assert first" }],
    };
    const executions = await openExecutions(path(), executor);
    const inputs = (program: string) => executions.inputs(what as Problem, "def first(x):\n    pass\n", [program]);
    const number = await inputs("def first(x):\n    return x // 2\n");
    const text = await inputs("def first(x):\n    return x.upper()\n");
    await executions.close();
    expect(number.madeUp).toBe(true);
    expect(text).not.toEqual(number);
  });

  it("is not kept where the harness failed", async () => {
    const failing: Executor = {
      ...watched(executor, () => {}),
      execute: async (what, code) => ({ ...(await executor.execute(what, code)), status: "infra", passRatio: null }),
    };
    expect((await found(failing)).behaviour!.passRatio).toBeNull();
    expect((await found(executor)).behaviour!.passRatio).toBe(0);
  });

  it("is refused where the file is damaged", async () => {
    await appendFile(path(), '{"execution_sha256": 1}\n');
    await expect(found(executor)).rejects.toThrow(
      "executions.jsonl:1: expected `execution_sha256` and `value`; delete the file to execute again",
    );
  });
});

describe("chains that were killed while programs were executed", () => {
  async function follow(out: string, executed: string[] = []) {
    const llm = await replayLlm(join(folder, "recording.jsonl"));
    const similarities = [openSimilarity("exact")];
    const options = { forward: llm, backward: llm, similarities, length: 2, out, quiet: true };
    const watching = watched(executor, (code) => executed.push(code));
    const { files } = await identityChain(await identityTasks(chained), { ...options, executor: watching });
    return readFile(files.samples, "utf8");
  }

  it("execute again only what was under way, and come to the same", async () => {
    const all: string[] = [];
    const whole = await follow(join(folder, "whole"), all);
    expect(all).toHaveLength(3 * (1 + 3 * 2)); // the contract, and the tests and answers of three programs

    const out = join(folder, "out");
    const args = [script, join(folder, "recording.jsonl"), out, "13"];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const exited = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    const rows = async (): Promise<number> =>
      (await readFile(join(out, "executions.jsonl"), "utf8").catch(() => "")).split("\n").length - 1;
    // After three contracts and ten more executions, both executions are complete for at least two and at most five programs.
    await expect.poll(rows, { timeout: 120_000 }).toBeGreaterThanOrEqual(5);
    child.kill("SIGKILL");
    expect(await exited).toBe("SIGKILL");

    const kept = await rows();
    const again: string[] = [];
    expect(await follow(out, again)).toBe(whole);
    expect(again).toHaveLength(2 * (9 - (kept - 3)));
    expect(await rows()).toBe(3 + 9);
    expect(await follow(out, again)).toBe(whole);
    expect(again).toHaveLength(2 * (9 - (kept - 3)));
  });
});
