/** Chains with a model over real HTTP, and programs in a real sandbox. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../../src/execute/index.ts";
import { identityChain } from "../../../src/rtc/identity/identity.ts";
import { identityTasks } from "../../../src/rtc/identity/tasks.ts";
import { openAiLlm, openSimilarity, replayLlm } from "../../../src/rtc/index.ts";
import { summaryTables } from "../../../src/rtc/report/tables.ts";
import type { Problem } from "../../../src/types.ts";
import { bundled } from "../../bundled.ts";
import { clip, twice } from "../problems.ts";
import { type Reaction, type Stub, type StubRequest, startStub } from "../stub.ts";

const script = bundled(new URL("killed-chains.ts", import.meta.url));

const problem = (entryPoint: string, description: string, calls: readonly (readonly [string, string])[]): Problem => ({
  id: `t/${entryPoint}`,
  description,
  prompt: `def ${entryPoint}(x):\n    """${description}"""\n`,
  entryPoint,
  references: [],
  tests: calls.map(([args, expected], i) => ({
    id: `${i}`,
    origin: "given",
    kind: "call",
    args,
    expected,
    tolerance: 0,
  })),
  setup: "",
  contract: "assert type(x) == int",
  source: "test",
});

const problems = [
  problem("doubled", "Doubles.", [
    ["2", "4"],
    ["-1", "-2"],
    ["'a'", "'aa'"],
  ]),
  problem("unsigned", "Makes positive.", [
    ["2", "2"],
    ["-1", "1"],
  ]),
  problem("waits", "Waits.", [["1", "0"]]),
  problem("silent", "Says nothing.", [["1", "1"]]),
];

/** Programs by the description in the prompt, and descriptions by a piece of the program. */
const programs: Readonly<Record<string, string>> = {
  "Doubles.": "```python\ndef doubled(x):\n    return 2 * x\n```",
  "Twice x.": "```python\ndef func(x):\n    return x * 2  # func\n```",
  "Makes positive.": "    return abs(x)",
  "The absolute value.": "    return x",
  "x itself.": "    return x",
  "Waits.": "    while True:\n        pass",
  "For ever.": "    while 1:\n        continue",
  "Refuses x.": "    raise ValueError(f'no {x}')",
  "Refuses all.": "    raise ValueError('nothing')",
  "Says nothing.": "    return 1",
  "(x): return 1": "",
};
const descriptions: Readonly<Record<string, string>> = {
  "return 2 * x": '"""Twice x."""',
  "return x * 2": "Twice x.",
  "return abs(x)": "The absolute value.",
  "    return x\n": "x itself.",
  "while True": "For ever.",
  "while 1": "Refuses x.",
  "no {x}": "Refuses all.",
  nothing: "Refuses all.",
  "return 1\n": "(x): return 1",
};

const asked = ({ body }: StubRequest): string => (body.messages as { content: string }[]).at(-1)!.content;

function answer(request: StubRequest): Reaction {
  const text = asked(request);
  const description = /"""(.*)"""/s.exec(text)?.[1];
  if (description !== undefined) return { texts: [programs[description]!] };
  return { texts: [Object.entries(descriptions).find(([code]) => text.includes(code))![1]] };
}

let executor: Executor;
let folder: string;
let stub: Stub;
beforeAll(async () => {
  executor = await openExecutor({ workers: 1, limits: { testCpuS: 0.02, maxTimeouts: 1 } });
});
afterAll(() => executor.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
});
afterEach(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

async function follow(what: readonly Problem[] = problems, out = folder, recording?: string) {
  const llm =
    recording === undefined ? openAiLlm({ model: "m", baseUrl: stub.url, retries: 0 }) : await replayLlm(recording);
  return identityChain(await identityTasks(what), {
    forward: llm,
    backward: llm,
    executor,
    similarities: [openSimilarity("exact"), openSimilarity("chrf")],
    length: 3,
    out,
    quiet: true,
  });
}

describe("identityChain", () => {
  it("follows chains until they repeat themselves, greedily, with the names hidden after the first step, and sums up", async () => {
    stub = await startStub(answer);
    const { summary, steps } = await follow();
    const of = (id: string) => steps.filter((row) => row.task_id === id);
    expect(of("t/doubled").map((row) => [row.candidate, row.repeats, row.tom])).toEqual([
      ["def doubled(x):\n    return 2 * x\n", null, null],
      ["def doubled(x):\n    return x * 2  # doubled\n", null, 1],
      ["def doubled(x):\n    return x * 2  # doubled\n", "description", 1],
    ]);
    expect(of("t/unsigned").map((row) => [row.repeats, row.tom, row.pass_fail_match])).toEqual([
      [null, null, null],
      [null, 0.5, false],
      ["program", 1, true],
    ]);
    expect(stub.requests.every(({ body }) => body.temperature === 0 && body.n === 1)).toBe(true);
    const later = stub.requests.map(asked).filter((text) => !/"""(Doubles|Makes|Waits|Says)/.test(text));
    expect(later.length).toBeGreaterThan(8);
    expect(later.filter((text) => /doubled|unsigned|waits|silent/.test(text))).toEqual([]);
    expect(summary.counts).toEqual({
      chains: 4,
      repeating: 2,
      without_code: 1,
      missing: 0,
      pairs: 7,
      recited: 1, // from `silent`
      copied: 0,
      inputs_refused: 1, // 'a' violates the contract of `doubled`
      without_verdict: 0,
      inputs_made_up: 0,
      without_input: 0,
    });

    // A repeated step stays the same. An answer without code is inconsistent.
    expect(summary.pass_at_1?.value).toBe(0.75); // all except `waits`
    expect(summary.steps.map(({ sc, ssc }) => [sc?.value, ssc?.value])).toEqual([
      [0.5, 0.25], // doubled and waits; of these only doubled passes
      [0.25, 0.25],
      [0.25, 0.25],
    ]);
    expect(summary.steps.map(({ tom }) => tom?.value)).toEqual([(1 + 0.5 + 1 + 0) / 4, (1 + 1 + 0 + 0) / 4, 0.5]);
    expect(summary.steps[0]?.pass_fail_match?.value).toBe(0.5); // doubled and waits
    const exact = summary.agreement.find(({ a, b }) => a === "tom" && b === "exact")!;
    const { table } = summaryTables(summary).find(({ name }) => name === "agreement")!;
    expect(table.rows.map(([names]) => names)).toEqual(
      expect.arrayContaining(["TOM and exact", "P/F match and exact", "TOM and P/F match"]),
    );
    expect(exact).toMatchObject({ pairs: 7, accuracy: 5 / 7 }); // the first pairs of doubled and the timeouts differ only in text
  });

  it("asks for every step where decoding is not greedy: what repeats once need not repeat again", async () => {
    stub = await startStub(answer);
    const llm = openAiLlm({ model: "m", baseUrl: stub.url, retries: 0 });
    const samples = { forward: { temperature: 0.2, maxTokens: 30 }, backward: { temperature: 0.2 } };
    const more = { executor, similarities: [openSimilarity("exact")], length: 3, out: folder, quiet: true, seed: 7 };
    const { summary, steps } = await identityChain(await identityTasks(problems.slice(0, 1)), {
      ...{ forward: llm, backward: llm, samples },
      ...more,
    });
    expect(steps.map(({ step, repeats }) => [step, repeats])).toEqual([0, 1, 2, 3].map((step) => [step, null]));
    const settings = stub.requests.map(({ body }) => [body.temperature, body.max_tokens, body.seed]);
    expect(settings).toEqual([
      [0.2, 1024, 7],
      ...[1, 2, 3].flatMap((step) => [
        [0.2, 30, 7 + step],
        [0.2, 1024, 7 + step],
      ]),
    ]);
    expect(summary.sampling.forward).toEqual({ samples: 1, temperature: 0.2, maxTokens: 30 });
    expect(summary.counts).toMatchObject({ chains: 1, repeating: 0, pairs: 3 });
    const wrong = { forward: llm, backward: llm, samples: { forward: { temperature: 3 } }, ...more };
    await expect(identityChain(await identityTasks(problems), wrong)).rejects.toThrow("to be in [0, 2], got 3");
  });

  const untested = ({ id, ...rest }: Problem): Problem => ({ ...rest, id: `${id}/untested`, tests: [] });

  it("compares programs of problems without tests on inputs made up, whether they repeat or end without code", async () => {
    stub = await startStub(answer);
    const [doubled, unsigned, , silent] = problems as [Problem, Problem, Problem, Problem];
    const { summary, steps } = await follow([untested(doubled), untested(unsigned), untested(silent)]);
    expect(summary.counts).toMatchObject({ repeating: 2, without_code: 1, without_verdict: 3, without_input: 0 });
    expect(summary.counts.inputs_made_up).toBe(3);
    const toms = (name: string) => steps.filter(({ task_id: id }) => id.includes(name)).map(({ tom }) => tom);
    expect(toms("doubled").slice(0, 2)).toEqual([null, 1]);
    expect(toms("unsigned")[1]).toBeGreaterThan(0); // abs and the identity differ below 0
    expect(toms("unsigned")[1]).toBeLessThan(1);
    expect(toms("silent")).toEqual([null, 0]);
    expect(steps.map(({ passed, pass_fail_match: match }) => [passed, match])).toEqual(steps.map(() => [null, null]));
    expect(summary.steps.map(({ sc, ssc }) => [sc?.value, ssc])).toEqual([1, 2, 3].map(() => [1 / 3, null]));
    expect(summary.pass_at_1).toBeNull();
  });

  it("makes inputs up that the reference answers, where there is one", async () => {
    stub = await startStub(answer);
    const [, unsigned] = problems as [Problem, Problem];
    const reference = "def unsigned(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n";
    const { steps } = await follow([{ ...untested(unsigned), references: [reference] }]);
    expect(steps[1]?.tom).toBe(1); // the inputs contain no negative number
  });

  it("says nothing of chains without any input, and counts them", async () => {
    stub = await startStub(answer);
    const [, unsigned, waits] = problems as [Problem, Problem, Problem];
    const { summary, steps } = await follow([untested(waits)]);
    expect(summary.counts).toMatchObject({ without_verdict: 1, inputs_made_up: 0, without_input: 1 });
    expect(steps.map(({ tom, passed, pass_fail_match: match }) => [tom, passed, match])).toEqual(
      steps.map(() => [null, null, null]),
    );
    const nothing = { sc: null, ssc: null, tom: null, pass_fail_match: null };
    expect(summary.steps).toEqual([1, 2, 3].map((step) => ({ step, ...nothing })));
    expect(summary.pass_at_1).toBeNull();

    // With other chains present, they do not change the means.
    const beside = await follow([unsigned, untested(waits)], join(folder, "beside"));
    const alone = await follow([unsigned], join(folder, "alone"));
    expect(beside.summary.steps).toEqual(alone.summary.steps);
  });

  it("counts timeouts, and compares errors by their whole message", async () => {
    stub = await startStub(answer);
    const { steps } = await follow([problems[2]!]);
    expect(steps.map((row) => [row.answers[0], row.tom, row.pass_fail_match])).toEqual([
      ["Timeout", null, null],
      ["Timeout", 1, true],
      ["ValueError: no 1", 0, true],
      ["ValueError: nothing", 0, true],
    ]);
  });

  it("goes on where it failed, asks nothing twice, and writes the same again", async () => {
    stub = await startStub((request) => (asked(request).includes("The absolute") ? { status: 400 } : answer(request)));
    const first = await follow(problems.slice(0, 2));
    expect(first.summary.counts.missing).toBe(1);
    expect(first.summary.failed).toMatchObject([{ task_id: "t/unsigned", direction: "backward" }]);
    const before = stub.answered.map(asked);
    await stub.close();

    stub = await startStub(answer);
    const second = await follow(problems.slice(0, 2));
    expect(second.summary.counts.missing).toBe(0);
    expect(stub.answered.map(asked).filter((text) => before.includes(text))).toEqual([]);
    const written = await readFile(second.files.samples, "utf8");
    const count = stub.requests.length;
    await follow(problems.slice(0, 2));
    const replayed = await follow(problems.slice(0, 2), join(folder, "again"), join(folder, "recording.jsonl"));
    expect(stub.requests.length).toBe(count);
    expect(await readFile(replayed.files.samples, "utf8")).toBe(written);
    expect(await readFile(second.files.samples, "utf8")).toBe(written);
  });

  it("was killed: no answer that had come is asked for again", async () => {
    let killed = false;
    const says = (request: StubRequest): Reaction =>
      asked(request).includes("wants.") ? { texts: ["    return 1"] } : { texts: ["One more."] };
    // Before the kill two requests are answered, the first of either chain. All others hang.
    stub = await startStub((request, i) => (!killed && i >= 2 ? "hang" : says(request)));
    const child = spawn(process.execPath, [script, stub.url, folder], { stdio: "inherit" });
    const exited = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    const rows = async (): Promise<number> =>
      (await readFile(join(folder, "recording.jsonl"), "utf8").catch(() => "")).split("\n").length - 1;
    await expect.poll(async () => stub.requests.length > 2 && (await rows()) === 2, { timeout: 120_000 }).toBe(true);
    child.kill("SIGKILL");
    expect(await exited).toBe("SIGKILL");
    killed = true;
    const before = stub.answered.map(asked);
    const { summary } = await follow([twice, clip]);
    expect(summary.counts).toMatchObject({ chains: 2, missing: 0 });
    expect(
      stub.answered
        .slice(2)
        .map(asked)
        .filter((text) => before.includes(text)),
    ).toEqual([]);
    expect(await rows()).toBe(stub.answered.length);
  });

  it("leaves out what has no signature, and says so when nothing is left", async () => {
    stub = await startStub(answer);
    const bare = { ...problems[0]!, prompt: "" };
    await expect(follow([bare])).rejects.toThrow(
      "no chain could start: t/doubled: the problem has neither a prompt nor a reference",
    );
    expect(stub.requests).toEqual([]);
  });
});
