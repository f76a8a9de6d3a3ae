/**
 * Hostile programs in runs that give evidence: among good candidates, as references, among samples, and as programs that read stdin. Good
 * candidates must score as they do among programs that only fail. Hostile ones must agree with nothing. What is shown of them must be
 * short and must not affect a terminal.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Executor, SandboxKind } from "../../src/execute/index.ts";
import { RunningScorer } from "../../src/score/run.ts";
import type { Behaviour, Score, ScoreInput } from "../../src/types.ts";
import { open } from "../execute/open.ts";
import { hostile, hostileReaders } from "./attacks.ts";

const REFERENCE = "def f(x: int) -> int:\n    if x > 10:\n        return 1000 * x + 8\n    return 1000 * x + 7\n";
const GOOD = [
  "def f(x):\n    return 1000 * x + 7 + (x > 10)\n",
  "def f(x):\n    return 1000 * x + 7\n",
  "def f(x):\n    return 1000 * x + 7 if x <= 10 else 1.5\n",
];
const READER = "x = int(input())\nprint(1000 * x + 7)\n";
const GOOD_READERS = [
  "print(int(input()) * 1000 + 7)\n",
  "x = int(input())\nprint(1000 * x + 7 if x < 5 else 'big')\n",
];
const EXAMPLE = "Example\nInput\n3\nOutput\n3007\n";

/** Scores from the text alone, for rows without evidence. */
const textScore = { score: 0.5, exec: 0.5, low: 0, high: 1, pass: 0.5, signature: "text" } as unknown as Score;
const text = {
  scoreAll: async (rows: readonly ScoreInput[]) => rows.map(() => textScore),
  signatureOf: () => "text",
};

async function scored(
  executor: Executor,
  rows: readonly ScoreInput[],
  inputs: number,
): Promise<(Score & { behaviour: Behaviour })[]> {
  const scorer = await RunningScorer.load({ executor, inputs }, text);
  const results: (Score & { behaviour: Behaviour })[] = [];
  for await (const { result } of scorer.run(rows, "auto")) {
    if ("error" in result) throw new Error(result.error.message);
    results.push(result as Score & { behaviour: Behaviour });
  }
  return results;
}

const ACTS = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u;

function expectHarmless({ counterexample, reason }: Behaviour, name: string): void {
  const { input = "", expected = "", got = "" } = counterexample ?? {};
  for (const shown of [input.replaceAll("\n", " "), expected, got, reason ?? ""]) {
    expect(shown, name).not.toMatch(ACTS);
    expect(shown.length, name).toBeLessThanOrEqual(shown === reason ? 300 : 2000);
  }
}

/** Runs the named programs, or all. `alone`: those also used as references and samples, each in its own task. */
export function hostileRun(
  sandbox: SandboxKind,
  names?: readonly string[],
  alone = names,
  readers = hostileReaders,
): void {
  describe(`hostile programs that are evidence, in ${sandbox}`, () => {
    let executor: Executor;
    let cache: string;
    beforeAll(async () => {
      executor = await open(sandbox, { limits: { testCpuS: 0.05, memoryMb: 256, candidateCpuS: 1 } });
      // A fresh cache, because cached inputs would not be generated again. Only from here on: an interpreter's snapshot may be an old one.
      cache = await mkdtemp(join(tmpdir(), "codescore-cache-"));
      vi.stubEnv("CODESCORE_CACHE", cache);
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await executor.close();
      await rm(cache, { recursive: true });
    });
    const those = (some?: readonly string[]) => hostile(sandbox).filter(({ name }) => some?.includes(name) ?? true);
    const programs = those(names);
    const timeout = 20_000 * programs.length;
    const first = Math.min(9, programs.length); // how many hostile programs come before the good ones

    it("leave other candidates of their task as they are", { timeout }, async () => {
      const rows = (others: readonly string[]): ScoreInput[] =>
        [...others.slice(0, first), ...GOOD, ...others.slice(first)].map((candidate) => ({
          taskId: "T",
          candidate,
          reference: REFERENCE,
        }));
      const failing = programs.map((_, i) => `def f(x): raise ValueError(${i})`);
      const before = await scored(executor, rows(failing), 8);
      const after = await scored(executor, rows(programs.map(({ code }) => code)), 8);
      // Agreement of samples is evidence. Some hostile programs agree with each other, so the score may change slightly.
      const end = first + GOOD.length;
      expect(after.slice(first, end).map(({ behaviour }) => behaviour)).toEqual(
        before.slice(first, end).map(({ behaviour }) => behaviour),
      );
      for (let i = first; i < end; i++) expect(Math.abs(after[i]!.score - before[i]!.score)).toBeLessThan(0.02);
      expect(after[first]!.behaviour).toMatchObject({ agree: 1, counterexample: null });
      for (const [i, { behaviour }] of [...after.slice(0, first), ...after.slice(end)].entries()) {
        const name = `${programs[i]!.name}: ${JSON.stringify(behaviour)}`;
        if (behaviour.reason?.startsWith("it needs")) continue; // the sandbox does not have the resource that it attacks
        expect(behaviour, name).toMatchObject({ agree: 0, inputs: 8, source: "reference" });
        expect(behaviour.counterexample, name).not.toBeNull();
        expectHarmless(behaviour, name);
      }
    });

    it.each([
      ["references", true],
      ["samples", false],
    ])("end no run as %s", { timeout: 3 * timeout }, async (_what, isReference) => {
      const single = those(alone);
      const tasks = single.map(({ code }, i) => {
        const others = isReference ? [] : [code];
        const reference = isReference ? { reference: code } : { description: "Gives a number." };
        return [...GOOD, ...others].map((candidate) => ({ taskId: `${i}`, candidate, ...reference }));
      });
      const found = await scored(executor, tasks.flat(), 8);
      const each = found.length / single.length;
      for (const [i, { behaviour }] of found.entries()) {
        const { name } = single[Math.floor(i / each)]!;
        expectHarmless(behaviour, name);
        // If nobody answers, nobody is right. If a hostile reference answers an input, its answer differs from theirs.
        if (isReference) expect(behaviour.agree ?? 0, name).toBe(0);
        else if (i % each < GOOD.length) expect(behaviour, `${name}: ${behaviour.reason}`).toMatchObject({ inputs: 8 });
      }
    });

    it("that read leave other candidates as they are", { timeout }, async () => {
      const rows = (others: readonly string[]): ScoreInput[] =>
        [...GOOD_READERS, ...others].map((candidate) => ({
          taskId: "T",
          candidate,
          reference: READER,
          description: EXAMPLE,
        }));
      const before = await scored(executor, rows(readers.map((_, i) => `raise ValueError(${i})`)), 6);
      const after = await scored(executor, rows(readers.map(({ code }) => code)), 6);
      expect(after.slice(0, 2).map(({ behaviour }) => behaviour)).toEqual(
        before.slice(0, 2).map(({ behaviour }) => behaviour),
      );
      for (const [i, { behaviour }] of after.slice(2).entries()) {
        const name = `${readers[i]!.name}: ${JSON.stringify(behaviour)}`;
        if (behaviour.reason?.startsWith("it needs")) continue; // the sandbox does not have the resource that it attacks
        expect(behaviour, name).toMatchObject({ agree: 0, source: "reference" });
        expectHarmless(behaviour, name);
      }
    });
  });
}
