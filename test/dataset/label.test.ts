import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { doubtfulLines } from "../../src/cli/options/defects.ts";
import { label, readExamples, readTiming } from "../../src/dataset/index.ts";
import type { Verdict } from "../../src/types.ts";
import { bundled } from "../bundled.ts";
import { OTHERS } from "../languages/programs.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";
import { fakeExecutor } from "./fake.ts";

const script = bundled(new URL("slow-label.ts", import.meta.url));

const problemRows = ["A", "B", "C"].map((name) => ({
  task_id: name,
  description: `Do ${name}.`,
  entry_point: "f",
  references: [`reference 1 of ${name}`, `reference 2 of ${name}`],
  tests: ["assert f()"],
  source: "ours",
}));
const problems = [writeRows(problemRows)];

/** Sample i of 40: for A, B and C in turn, with i % 5 plus signs. */
const sampleRows = Array.from({ length: 40 }, (_, i) => ({
  task_id: "ABC"[i % 3],
  code: `# ${i}\n${"+".repeat(i % 5)}`,
  model: i % 2 ? "odd" : "even",
}));
const samples = [writeRows(sampleRows)];

const fresh = (name = "out.jsonl"): string => join(tempFolder(), name);
const bytes = (path: string): string => readFileSync(path).toString("base64");

describe("label", () => {
  it("writes one row a sample in input order, whatever is done first", async () => {
    const out = fresh();
    const executor = fakeExecutor({ delay: (code) => (code.length * 7919) % 23 });
    await label({ problems, samples, out, executor, window: 16 });
    const rows = await all(readExamples(out));
    expect(rows.map(({ candidate }) => candidate)).toEqual(sampleRows.map(({ code }) => code));
    expect(rows.map(({ sample_id }) => sample_id).slice(0, 5)).toEqual(["A#0", "B#0", "C#0", "A#1", "B#1"]);
    expect(rows[7]).toEqual({
      task_id: "B",
      sample_id: "B#2",
      source: "ours",
      made_by: "odd",
      candidate: "# 7\n++",
      reference: expect.stringMatching(/^reference [12] of B$/),
      description: "Do B.",
      pass_ratio: 0.5,
      executable: 1,
      n_tests: 4,
      n_passed: 2,
      n_opaque: 0,
      passes_base: null,
      temperature: null,
      status: "ok",
      first_error: null,
      reason: null,
      weight: 1,
    });
  });

  it("names the problems that have a reference among the samples which does not pass", async () => {
    const own = ["A", "B"].map((task_id) => ({ task_id, code: `reference 1 of ${task_id}`, model: "reference" }));
    const passes = { status: "ok", passRatio: 1 } as const;
    const executor = fakeExecutor({ verdict: (code) => (code.includes("of A") ? passes : {}) });
    const result = await label({ problems, samples: [writeRows([...own, ...sampleRows])], out: fresh(), executor });
    expect(result.defects).toEqual({ "failing-reference": ["B"] });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).defects).toEqual(result.defects);
  });

  it("names the problems of which no program and no reference passes the tests", async () => {
    const passes = { status: "ok", passRatio: 1 } as const;
    const unjudged = { status: "infra", passRatio: null } as const;
    const verdict = (code: string) =>
      code === "reference 2 of B" ? passes : code === "reference 1 of C" ? unjudged : code === "right" ? passes : {};
    const executor = fakeExecutor({ verdict });
    const others = ["D", "E"].map((task_id) => ({ ...problemRows[0], task_id }));
    const wrong = sampleRows.filter(({ code }) => !code.endsWith("++++"));
    const given = [...wrong, { task_id: "D", code: "wrong" }, { task_id: "D", code: "right" }];
    const run = (more: { readonly expand?: number } = {}) =>
      label({
        problems: [...problems, writeRows(others)],
        samples: [writeRows(given)],
        out: fresh(),
        executor,
        ...more,
      });
    const { doubtful, executed } = await run();
    expect(doubtful).toEqual({ ids: ["A"], checked: 3, suspects: 3 });
    expect(executed).toBe(34);
    // A right program of D shows that its tests can be passed. E has no sample.
    expect(executor.executed.filter((code) => code.startsWith("reference")).sort()).toEqual([
      "reference 1 of A",
      "reference 1 of B",
      "reference 1 of C",
      "reference 2 of A",
      "reference 2 of B",
    ]);
    expect((await run({ expand: 1 })).doubtful).toBeNull();
  });

  it("checks the references of 20 problems, or of one for ten samples, those with the most samples first", async () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ ...problemRows[0], task_id: `T${100 + i}` }));
    const doubtfulOf = async (times: (i: number) => number) => {
      const rows = many.flatMap(({ task_id }, i) =>
        Array.from({ length: times(i) }, (_, k) => ({ task_id, code: `# ${k}` })),
      );
      return (await label({ problems: [writeRows(many)], samples: [writeRows(rows)], out: fresh(), executor: fakeExecutor() })).doubtful!; // biome-ignore format: one line
    };
    const few = await doubtfulOf((i) => (i >= 40 ? 2 : 1));
    expect(few).toMatchObject({ checked: 20, suspects: 60 });
    expect(few.ids).toEqual(many.slice(40).map(({ task_id }) => task_id));
    expect(doubtfulLines(few)).toEqual([
      "warning: no program and no reference passes the tests of 20 problems, so these labels are doubtful (checked 20 of the 60 that no program passes): T140, T141, T142, T143, T144 and 15 more",
    ]);
    expect(await doubtfulOf(() => 5)).toMatchObject({ checked: 30, suspects: 60 });
    expect(doubtfulLines({ ids: ["A"], checked: 1, suspects: 1 })).toEqual([
      "warning: no program and no reference passes the tests of 1 problem, so these labels are doubtful: A",
    ]);
    expect(doubtfulLines({ ids: [], checked: 1, suspects: 1 })).toEqual([]);
  });

  it("says how many samples have the id of an earlier one of their task", async () => {
    const sample = { task_id: "A", sample_id: "s", code: "+" };
    const given = [sample, { ...sample, task_id: "B" }, { ...sample, sample_id: "t" }];
    const labelled = (rows: readonly object[]) =>
      label({ problems, samples: [writeRows(rows)], out: fresh(), executor: fakeExecutor() });
    expect(await labelled([...given, ...given])).toMatchObject({
      rows: 6,
      repeatedIds: expect.stringMatching(/^warning: 3 rows have the id of an earlier row, such as "s" of A; /),
    });
    expect((await labelled([...given, sample])).repeatedIds).toContain("1 row has the id");
    expect((await labelled(given)).repeatedIds).toBeNull();
  });

  it("counts the tests that ran whole beside a program", async () => {
    const out = fresh();
    const verdicts = [true, undefined, true].map((opaque, i) => ({ testId: `${i}`, outcome: "pass" as const, opaque }));
    const executor = fakeExecutor({
      verdict: (code) => (code === "opaque" ? { verdicts: verdicts as Verdict[] } : {}),
    });
    const given = [writeRows(["opaque", "+"].map((code) => ({ task_id: "A", code })))];
    const { manifest, opaque, opaqueTests } = await label({ problems, samples: given, out, executor });
    expect((await all(readExamples(out))).map(({ n_opaque }) => n_opaque)).toEqual([2, 0]);
    expect(opaque).toBe(2);
    expect([...opaqueTests]).toEqual([["A", { count: 2, first: "0" }]]);
    expect(JSON.parse(readFileSync(manifest, "utf8")).counts.opaque).toBe(2);
  });

  it("says whether a program passes the tests that the problem first came with, where others are beside them", async () => {
    const added = { id: "b", kind: "assert", code: "assert f() > 1", added: true };
    const given = { id: "a", kind: "check", code: "def check(candidate): assert candidate()" };
    const both = writeRows([
      { ...problemRows[0], tests: [given, added] },
      { ...problemRows[1], tests: [given] },
    ]);
    const verdicts = (first: string, second: string) =>
      ["a/0", "a/1", "b"].map((testId, i) => ({ testId, outcome: [first, "pass", second][i] }) as Verdict);
    const executor = fakeExecutor({ verdict: (code) => ({ verdicts: verdicts(code.slice(0, 4), code.slice(5)) }) });
    const out = fresh();
    const texts = ["pass pass", "pass fail", "fail pass"].map((code) => ({ task_id: "A", code, model: "m" }));
    const result = await label({
      problems: [both],
      samples: [writeRows([...texts, { task_id: "B", code: "pass pass", model: "m", temperature: 0.2 }])],
      out,
      executor,
    });
    const rows = await all(readExamples(out));
    expect(rows.map(({ passes_base, temperature }) => [passes_base, temperature])).toEqual([
      [1, null],
      [1, null],
      [0, null],
      [null, 0.2],
    ]);
    expect(result.passes.map(({ temperature, tasks }) => [temperature, tasks[0]?.passedBase])).toEqual([
      [null, 2],
      [0.2, null],
    ]);
  });

  it("takes programs out of fences, and counts these, prose and other languages", async () => {
    const out = fresh();
    const program = "def f():\n    return 1";
    const texts = [program, `\`\`\`python\n${program}\n\`\`\``, "I am sorry, I cannot do this.", OTHERS.JavaScript];
    const given = [writeRows(texts.map((code) => ({ task_id: "A", code })))];
    const { notes, manifest } = await label({ problems, samples: given, out, executor: fakeExecutor() });
    const candidates = (await all(readExamples(out))).map(({ candidate }) => candidate);
    expect(candidates).toEqual([program, program, texts[2], texts[3]]);
    const expected = { "looks like JavaScript": 1, "no program, only prose": 1, "taken out of a Markdown fence": 1 };
    expect(notes).toEqual(expected);
    expect(JSON.parse(readFileSync(manifest, "utf8")).notes).toEqual(expected);
  });

  it("writes beside the set how long it took, for programs that this call executed", async () => {
    const out = fresh();
    expect(await readTiming(out)).toBeNull();
    const { executed, seconds } = await label({ problems, samples, out, executor: fakeExecutor({ delay: () => 2 }) });
    expect(await readTiming(out)).toBeCloseTo((1000 * seconds) / executed, 9);
    expect(await readTiming(out)).toBeGreaterThan(0);
  });

  it("keeps a bounded number of programs under way", async () => {
    const executor = fakeExecutor({ delay: () => 1 });
    await label({ problems, samples, out: fresh(), executor, window: 5 });
    expect(executor.mostRunning).toBe(5);
  });

  it("uses every reference, the same one for the same sample, and never the candidate itself", async () => {
    const rows = ["reference 1 of A", "  reference 2 of A\n", ...Array.from({ length: 30 }, (_, i) => `p${i}`)];
    const copies = [writeRows(rows.map((code) => ({ task_id: "A", code })))];
    const out = fresh();
    await label({ problems, samples: copies, out, executor: fakeExecutor() });
    const [first, second, ...others] = (await all(readExamples(out))).map(({ reference }) => reference);
    expect(first).toBe("reference 2 of A");
    expect(second).toBe("reference 1 of A");
    expect(new Set(others)).toEqual(new Set(["reference 1 of A", "reference 2 of A"]));
  });

  it("keeps the only reference for a program that equals it, but not for the reference as its own candidate", async () => {
    const single = [writeRows([{ ...problemRows[0], references: ["x"] }])];
    const out = fresh();
    const copies = [
      { task_id: "A", code: "x\n", model: "some-llm" },
      { task_id: "A", code: "x", model: "reference" },
    ];
    await label({ problems: single, samples: [writeRows(copies)], out, executor: fakeExecutor() });
    expect((await all(readExamples(out))).map(({ reference }) => reference)).toEqual(["x", null]);
  });

  it("reports samples of unknown tasks in their rows and goes on", async () => {
    const some = [
      writeRows([
        { task_id: "X", code: "x" },
        { task_id: "A", code: "+" },
        { task_id: "X", code: "y" },
      ]),
    ];
    const out = fresh();
    const result = await label({ problems, samples: some, out, executor: fakeExecutor() });
    expect([...result.unknownTasks]).toEqual([["X", 2]]);
    expect(result).toMatchObject({ rows: 3, labelled: 1, no_label: 2, infra: 0 });
    expect((await all(readExamples(out)))[0]).toMatchObject({
      status: "no_label",
      pass_ratio: null,
      executable: null,
      n_tests: 0,
      reason: "unknown task: no problem has the id X",
    });
  });

  it("gives no label without a runnable test, with the reason", async () => {
    const verdict = () =>
      ({ status: "no_label", verdicts: [], passRatio: null, executable: null, reason: "no tests" }) as const;
    const out = fresh();
    const result = await label({ problems, samples, out, executor: fakeExecutor({ verdict }) });
    expect(result).toMatchObject({ labelled: 0, no_label: 40, infra: 0 });
    expect((await all(readExamples(out)))[0]).toMatchObject({ pass_ratio: null, executable: null, reason: "no tests" });
  });

  it("executes the same program on the same problem once", async () => {
    const repeats = [writeRows(Array.from({ length: 9 }, () => ({ task_id: "A", code: "+" })))];
    const executor = fakeExecutor({ delay: () => 2 });
    const result = await label({ problems, samples: repeats, out: fresh(), executor });
    expect(executor.executed.filter((code) => !code.startsWith("reference"))).toHaveLength(1);
    expect(result).toMatchObject({ rows: 9, labelled: 9, executed: 1 });
  });

  it("divides the problems among shards, each row in exactly one", async () => {
    const parts = [];
    for (const index of [1, 2]) {
      const out = fresh();
      await label({ problems, samples, out, executor: fakeExecutor(), shard: { index, count: 2 } });
      parts.push(await all(readExamples(out)));
    }
    const tasks = parts.map((rows) => new Set(rows.map(({ task_id }) => task_id)));
    expect(parts[0]!.length + parts[1]!.length).toBe(40);
    expect([...tasks[0]!].filter((task) => tasks[1]!.has(task))).toEqual([]);
  });

  it("finds a bad line before it executes anything", async () => {
    const executor = fakeExecutor();
    const bad = [writeRows([{ task_id: "A", code: "x" }, "{"])];
    await expect(label({ problems, samples: bad, out: fresh(), executor })).rejects.toThrow(/rows\.jsonl:2/);
    expect(executor.executed).toEqual([]);
  });

  it("names several bad lines at once", async () => {
    const samples = [writeRows([{ task_id: "A", code: "x" }, "{", { task_id: "A" }, { code: "" }])];
    const error = await label({ problems, samples, out: fresh(), executor: fakeExecutor() }).catch((error) => error);
    expect(error).toMatchObject({ code: "input" });
    expect(error.message.match(/rows\.jsonl:\d+/g)).toEqual(["rows.jsonl:2", "rows.jsonl:3", "rows.jsonl:4"]);
    const many = [writeRows(["{", "{", "{", "{", "{", "{"])];
    const call = label({ problems, samples: many, out: fresh(), executor: fakeExecutor() });
    await expect(call).rejects.toThrow(/rows\.jsonl:5: .*; and 1 more bad row$/);
  });

  it.each([
    [
      "an output of another kind",
      { out: "out.csv" },
      "usage",
      /expected the output to end in \.arrow, \.parquet or \.jsonl, got `out\.csv`/,
    ],
    ["no samples", { samples: [writeRows([])] }, "input", /no samples in/],
  ])("refuses %s", async (_, more, code, message) => {
    const call = label({ problems, samples, out: fresh(), executor: fakeExecutor(), ...more });
    await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe("the manifest", () => {
  it("counts what is in the file and is the same for the same inputs", async () => {
    const written = [];
    for (const out of [fresh("out.arrow"), fresh("out.arrow")]) {
      const { manifest } = await label({ problems, samples, out, executor: fakeExecutor() });
      written.push(readFileSync(manifest, "utf8"));
    }
    expect(written[0]).toBe(written[1]);
    expect(JSON.parse(written[0] as string)).toMatchObject({
      file: "out.arrow",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      sources: [{ name: "rows.jsonl" }, { name: "rows.jsonl" }],
      executor: {
        sandbox: "none",
        python: "3.0.fake",
        limits: expect.objectContaining({ maxTimeouts: 3 }),
        modules: ["math", "sys"],
      },
      seed: 0,
      counts: { rows: 40, labelled: 40, no_label: 0, infra: 0, problems: 3 },
      pass_ratio: { zero: 8, between: [0, 0, 8, 0, 0, 8, 0, 8, 0, 0], one: 8 },
    });
  });

  it("names each folder of data files once, with a hash of what is in it", async () => {
    const folder = tempFolder();
    const sums: string[] = [];
    for (const text of ["1", "2"]) {
      mkdirSync(join(folder, "data"), { recursive: true });
      writeFileSync(join(folder, "data", "a.csv"), text);
      const path = join(folder, "problems.jsonl");
      const row = (id: string) =>
        JSON.stringify({ task_id: id, description: "", tests: ["assert True"], files: "data" });
      writeFileSync(path, `${row("a")}\n${row("b")}\n`);
      const found = [writeRows([{ task_id: "a", sample_id: "s", completion: "x = 1" }])];
      const { manifest } = await label({
        problems: [path],
        samples: found,
        out: fresh("out.arrow"),
        executor: fakeExecutor(),
      });
      const [, data, ...others] = JSON.parse(readFileSync(manifest, "utf8")).sources;
      expect(data).toEqual({ name: "data", files: 1, sha256: expect.any(String) });
      expect(others).toHaveLength(1); // the samples
      sums.push(data.sha256);
    }
    expect(sums[0]).not.toBe(sums[1]);
  });
});

describe("a run that did not end", () => {
  it("goes on where it was and ends with the same bytes", async () => {
    const whole = fresh("out.arrow");
    await label({ problems, samples, out: whole, executor: fakeExecutor() });

    const out = fresh("out.arrow");
    let left = 17;
    const dying = fakeExecutor({
      verdict: () => {
        if (left-- === 0) throw new Error("killed");
        return {};
      },
    });
    await expect(label({ problems, samples, out, executor: dying, window: 4 })).rejects.toThrow("killed");
    expect(existsSync(out)).toBe(false);
    appendFileSync(`${out}.journal.jsonl`, '{"key":"cut sho'); // as left by kill -9

    const executor = fakeExecutor();
    const result = await label({ problems, samples, out, executor });
    expect(result.executed).toBe(executor.executed.length);
    expect(executor.executed.length).toBeGreaterThan(0);
    expect(executor.executed.length).toBeLessThanOrEqual(40 - 17);
    expect(bytes(out)).toBe(bytes(whole));
    expect(readFileSync(result.manifest, "utf8")).toBe(readFileSync(`${whole}.manifest.json`, "utf8"));
    expect(existsSync(`${out}.journal.jsonl`)).toBe(false);
  });

  it("survives kill -9 in the middle", async () => {
    const out = fresh("out.arrow");
    const child = spawn(process.execPath, [script, problems[0]!, samples[0]!, out]);
    const journal = `${out}.journal.jsonl`;
    while (!existsSync(journal) || readFileSync(journal, "utf8").split("\n").length < 10) await sleep(20);
    child.kill("SIGKILL");
    await new Promise((done) => child.on("close", done));
    const executor = fakeExecutor();
    await label({ problems, samples, out, executor });
    expect(executor.executed.length).toBeGreaterThan(0);
    expect(executor.executed.length).toBeLessThan(32);
    const whole = fresh("out.arrow");
    await label({ problems, samples, out: whole, executor: fakeExecutor() });
    expect(bytes(out)).toBe(bytes(whole));
  });

  it("uses nothing of a problem that has changed since", async () => {
    const out = fresh();
    await expect(
      label({
        problems,
        samples,
        out,
        executor: fakeExecutor({
          verdict: (code) => {
            if (code.startsWith("# 39")) throw new Error("killed");
            return {};
          },
        }),
      }),
    ).rejects.toThrow("killed");
    const changed = [writeRows(problemRows.map((row) => ({ ...row, tests: ["assert not f()"] })))];
    const executor = fakeExecutor();
    await label({ problems: changed, samples, out, executor });
    expect(executor.executed).toHaveLength(40);
  });

  it("executes rows that could not be judged again, and only these", async () => {
    const out = fresh();
    const failing = (code: string) => code.startsWith("# 3\n") || code.startsWith("# 5\n");
    const infra = { status: "infra", verdicts: [], passRatio: null, executable: null, reason: "worker lost" } as const;
    const first = await label({
      problems,
      samples,
      out,
      executor: fakeExecutor({ verdict: (code) => (failing(code) ? infra : {}) }),
    });
    expect(first).toMatchObject({ rows: 40, labelled: 38, infra: 2 });
    expect((await all(readExamples(out)))[3]).toMatchObject({
      status: "infra",
      pass_ratio: null,
      reason: "worker lost",
    });
    const executor = fakeExecutor();
    const second = await label({ problems, samples, out, executor });
    expect(second).toMatchObject({ labelled: 40, infra: 0, executed: 2 });
    expect(executor.executed.every(failing)).toBe(true);
  });
});
