/** The notebooks of datasets/notebooks: every reference passes, every candidate gets its grade, and a plain replay agrees on which are right. */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../../src/execute/index.ts";
import { readNotebooks, readSamples } from "../../../src/problems/index.ts";
import type { Execution, Problem, Sample } from "../../../src/types.ts";
import { tree } from "../../cli/kill.ts";
import { bwrapWorks } from "../open.ts";
import { environment } from "../packages.ts";

const SET = join(import.meta.dirname, "../../../datasets/notebooks");

const gradeOf = ({ passRatio, executable }: Execution): string =>
  passRatio === null ? "none" : passRatio === 1 ? "right" : passRatio > 0 ? "partly" : executable ? "wrong" : "crash";

const suite = bwrapWorks && environment !== null ? describe : describe.skip;

/** The ids of samples contain task and grade: `sales/3#wrong`. */
const authorsGrade = (sampleId: string): string => sampleId.replace(/^.*#/, "").replace(/-.*/, "");

suite("datasets/notebooks", () => {
  let executor: Executor;
  let problems: Map<string, Problem>;
  const samples: Sample[] = [];
  let ofReferences: Execution[];
  let ofSamples: Execution[];

  let processes: number;

  beforeAll(async () => {
    processes = tree(process.pid).length;
    executor = await openExecutor({ sandbox: "bwrap", python: environment!, workers: 2 });
    problems = new Map((await readNotebooks([join(SET, "notebooks")])).map(({ problem }) => [problem.id, problem]));
    for await (const sample of readSamples([join(SET, "candidates.jsonl")], problems)) samples.push(sample);
    // All at once, so that the cells before a turn run once for all of its cells.
    [ofReferences, ofSamples] = await Promise.all([
      Promise.all([...problems.values()].map((problem) => executor.execute(problem, problem.references[0]!))),
      Promise.all(samples.map(({ taskId, text }) => executor.execute(problems.get(taskId)!, text))),
    ]);
  });
  afterAll(async () => executor.close());

  it("has ten notebooks, with candidates of every grade for each", () => {
    const names = [...problems.values()].map(({ notebook }) => notebook!.name);
    expect(new Set(names).size).toBe(10);
    for (const name of names) {
      const made = samples.flatMap(({ taskId, sampleId }) =>
        problems.get(taskId)!.notebook!.name === name ? [authorsGrade(sampleId)] : [],
      );
      expect([name, ...new Set(made)].sort()).toEqual([name, "crash", "partly", "right", "wrong"].sort());
    }
  });

  it("has references that pass", () => {
    const failing = [...problems.keys()].flatMap((id, i) => {
      const { passRatio, reason } = ofReferences[i]!;
      return passRatio === 1 ? [] : [[id, passRatio, reason]];
    });
    expect(failing).toEqual([]);
  });

  it("grades the candidates as their authors, and agrees with a plain replay", () => {
    const graded = samples.map(({ sampleId }, i) => ({
      sampleId,
      grade: gradeOf(ofSamples[i]!),
      verdicts: JSON.stringify(ofSamples[i]!.verdicts),
    }));
    expect(graded.filter(({ sampleId, grade }) => authorsGrade(sampleId) !== grade)).toEqual([]);

    const all = [...problems.values()];
    const tasks = all.flatMap((problem) => {
      const candidates = samples.filter(({ taskId }) => taskId === problem.id);
      const { name, before } = problem.notebook!;
      const later = all.filter(
        (other) => other.notebook!.name === name && other.notebook!.before.length > before.length,
      );
      const code = later.map(({ references }) => references[0]!);
      const { files } = problem.notebook!;
      const folder = files?.folder ?? dirname(SET);
      const task = {
        folder,
        before,
        later: code,
        reference: problem.references[0],
        candidates: candidates.map(({ text }) => text),
      };
      return candidates.length === 0 ? [] : [{ task, ids: candidates.map(({ sampleId }) => sampleId) }];
    });
    const input = JSON.stringify(tasks.map(({ task }) => task));
    const script = join(import.meta.dirname, "plain.py");
    const output = execFileSync(environment!, ["-W", "ignore", script], {
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    const plain = (JSON.parse(output.trim().split("\n").at(-1)!) as boolean[][]).flat();
    const ids = tasks.flatMap((task) => task.ids);
    const right = new Map(graded.map(({ sampleId, grade }) => [sampleId, grade === "right"]));
    expect(ids.filter((id, i) => right.get(id) !== plain[i])).toEqual([]);
    expect(ids.length).toBe(samples.length);
  });

  it("leaves no server behind, though more notebooks were at work than there are workers", async () => {
    await executor.close();
    await expect.poll(() => tree(process.pid).length).toBeLessThanOrEqual(processes);
  });
});
