/**
 * BigCodeBench's tasks, labelled here and by plain `unittest`: references, and stubs that return nothing. Every difference must have a known
 * reason. Every 40th task; CODESCORE_EVERY=1 uses all.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { readRows } from "../../src/problems/rows.ts";
import type { Execution, Problem } from "../../src/types.ts";
import { every } from "../every.ts";
import { all } from "../problems/helpers.ts";
import { bwrapWorks, open } from "./open.ts";
import { environment } from "./packages.ts";

const path = join(process.env.CODESCORE_DATA ?? "", "bigcodebench-dev", "problems.jsonl.gz");
const each = every(40);

/** Reasons why a test may have another outcome here: from the text of program and tests, or from the execution. */
const REASONS: readonly (readonly [string, (text: string, execution: Execution) => boolean])[] = [
  ["no processes", (text) => /\bsubprocess\b|os\.system|multiprocessing|\bplatform\b|\bpsutil\b/.test(text)],
  ["no network", (text) => /\bsocket\b|urllib|requests|ftplib|smtplib|\bssl\b/.test(text)],
  ["more than 30 s of CPU in all", (_, { verdicts }) => verdicts.some(({ outcome }) => outcome === "timeout")],
];

type Passed = Readonly<Record<string, boolean>>;

function plain(tasks: readonly (readonly [string, string])[]): Promise<Readonly<Record<string, Passed>>> {
  const script = join(import.meta.dirname, "plain_unittest.py");
  return new Promise((resolve, reject) => {
    const child = execFile(environment!, [script], { maxBuffer: 1 << 28 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
    child.stdin?.end(JSON.stringify(tasks));
  });
}

describe.skipIf(!existsSync(path) || environment === null || !bwrapWorks)(
  "BigCodeBench",
  { timeout: 3_600_000 },
  () => {
    let executor: Executor;
    let problems: Problem[];
    const files = new Map<string, string>();
    beforeAll(async () => {
      executor = await open("bwrap", { python: environment!, workers: 2 });
      const there = new Set(await executor.modules());
      const isThere = (text: string): boolean =>
        [...text.matchAll(/^\s*(?:import|from)\s+(\w+)/gm)].every(([, name]) => there.has(name!));
      for (const { value } of await all(readRows(path))) files.set(`${value.task_id}`, `${value.test}`);
      // The tests of the first task take a minute, so it is left out.
      const found = [...(await readProblems([path])).values()].filter((_, i) => (i + 1) % each === 0);
      problems = found.filter(({ id, references }) => isThere(`${references[0]}\n${files.get(id)}`));
    });
    afterAll(() => executor?.close());

    it.each([
      ["references", ({ references }: Problem) => references[0]!],
      ["stubs", ({ prompt }: Problem) => `${prompt}    return None\n`],
    ])("labels %s as plain unittest does", async (_what, program) => {
      expect(problems.length).toBeGreaterThan(300 / each);
      // One after the other, so that neither takes the other's CPU.
      const theirs = await plain(
        problems.map((problem) => [problem.id, `${program(problem)}\n${files.get(problem.id)}`]),
      );
      const ours = await Promise.all(problems.map((problem) => executor.execute(problem, program(problem))));
      const unexplained: string[] = [];
      let agree = 0;
      problems.forEach((problem, i) => {
        const passed = theirs[problem.id]!;
        const execution = ours[i]!;
        const different = execution.verdicts.filter(
          ({ testId, outcome }) => (outcome === "pass") !== (passed[testId] === true),
        );
        const isPass = Object.values(passed).length > 0 && Object.values(passed).every(Boolean);
        if ((execution.passRatio === 1) === isPass) agree += 1;
        const text = `${program(problem)}\n${files.get(problem.id)}`;
        if (different.length > 0 && !REASONS.some(([, holds]) => holds(text, execution)))
          unexplained.push(`${problem.id}: ${JSON.stringify(different)}`);
      });
      process.stderr.write(`BigCodeBench ${_what}: ${agree} of ${problems.length} tasks agree\n`);
      expect(unexplained).toEqual([]);
      // The restrictions cost the differences above: in every eighth task 56 of 59 references agree, and 59 of 59 stubs.
      expect(agree / problems.length).toBeGreaterThanOrEqual(0.9);
    });
  },
);
