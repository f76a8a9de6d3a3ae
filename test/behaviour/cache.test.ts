import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { remembered } from "../../src/behaviour/cache.ts";
import type { TaskInputs } from "../../src/behaviour/inputs.ts";
import type { Executor } from "../../src/execute/index.ts";

const executor = { sandbox: "bwrap", python: "3.11.2", limits: { memoryMb: 1024 } } as unknown as Executor;
const task = { reference: "def f(x): return x", description: null, candidates: ["def f(x): return 1"] };
const made: TaskInputs = {
  entry: { kind: "call", name: "f" },
  setup: "",
  known: [
    {
      input: { args: "2" },
      answer: { outcome: "ok", value: { t: "int", v: 2n }, text: "2", cpuS: 0.001 },
      cpuS: 0.001,
      split: 1,
    },
  ],
  unusual: [false],
  examples: [],
  killed: 1,
  from: "trial",
  missing: null,
  incomparable: null,
};
const options = { inputs: 40, seed: 0 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-cache-"));
  vi.stubEnv("CODESCORE_CACHE", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it("makes inputs once for the same task, options and Python", async () => {
  const make = vi.fn(async () => made);
  expect(await remembered(task, executor, options, make)).toEqual(made);
  expect(await remembered({ ...task, candidates: ["another"] }, executor, options, make)).toEqual(made);
  expect(make).toHaveBeenCalledTimes(1);
  await remembered({ ...task, description: "other" }, executor, options, make);
  await remembered(task, executor, { inputs: 41, seed: 0 }, make);
  await remembered(task, executor, { inputs: 40, seed: 1 }, make);
  await remembered(task, { ...executor, python: "3.12.1" } as Executor, options, make);
  expect(make).toHaveBeenCalledTimes(5);
});

it("tells candidates apart where there is no reference: they say what is valid", async () => {
  const make = vi.fn(async () => made);
  await remembered({ ...task, reference: null }, executor, options, make);
  await remembered({ ...task, reference: null, candidates: ["another"] }, executor, options, make);
  expect(make).toHaveBeenCalledTimes(2);
});

it("makes inputs anew where the file is damaged, and does without where none can be written", async () => {
  const make = vi.fn(async () => made);
  await remembered(task, executor, options, make);
  const [name] = await readdir(join(folder, "inputs"));
  await writeFile(join(folder, "inputs", name!), '{"known":[{"text":"nonsense"}]}');
  expect(await remembered(task, executor, options, make)).toEqual(made);
  expect(make).toHaveBeenCalledTimes(2);
  await writeFile(join(folder, "file"), "");
  vi.stubEnv("CODESCORE_CACHE", join(folder, "file"));
  expect(await remembered(task, executor, options, make)).toEqual(made);
});
