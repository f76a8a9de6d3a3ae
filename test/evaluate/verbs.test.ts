import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { calibrateVerb } from "../../src/cli/calibrate.ts";
import { compareVerb } from "../../src/cli/compare.ts";
import { estimateVerb } from "../../src/cli/estimate.ts";
import { evaluateVerb } from "../../src/cli/evaluate.ts";
import { packageRoot } from "../../src/util/files.ts";
import { noisyScores, simulatedRows } from "./rows.ts";
import { run } from "./verb.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const rows = simulatedRows(12, 8, 3);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-verbs-"));
  const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");
  const scores = (noise: number) =>
    noisyScores(rows, noise, 2).map((score, i) => ({ id: rows[i]!.sample_id, score, exec: 0.9 }));
  await writeFile(at("data.jsonl"), lines(rows));
  await writeFile(at("good.jsonl"), lines(scores(0.2)));
  await writeFile(at("bad.jsonl"), lines(scores(1)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

describe("calibrate", () => {
  it("refuses too few rows before it opens a model", async () => {
    await expect(run(calibrateVerb(), "--model", at("none"), "--data", at("data.jsonl"))).rejects.toThrow(
      `${at("data.jsonl")}: expected at least 200 labelled rows of 20 problems with a reference, or with a description, got 96 labelled rows of 12 problems`,
    );
  });
});

describe("evaluate", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), "--resamples", "20", ...more];

  it("prints a row a column of scores and writes the report", async () => {
    const out = await run(evaluateVerb(), ...args("--scores", at("good.jsonl"), "--report", at("report.html")));
    const names = out.split("\n").map((line) => line.split(/\s{2,}/)[0]);
    expect(names.slice(0, 4)).toEqual(["metric", "good", "difficulty-only oracle", ""]);
    expect(out).not.toMatch(/BLEU/i);
    expect(out).toContain("96 programs of 12 tasks.");
    expect(await readFile(at("report.html"), "utf8")).toContain("<title>Scores against tests: data.jsonl</title>");
  });

  it("measures the metrics that are asked for", async () => {
    const flags = args("--scores", at("good.jsonl"), "--metrics", "exact,bleu");
    const out = (await run(evaluateVerb(), ...flags)).split("\n").map((line) => line.split(/\s{2,}/));
    expect(out.slice(0, 5).map(([name]) => name)).toEqual([
      "metric",
      "good",
      "exact",
      "bleu",
      "difficulty-only oracle",
    ]);
    expect(out[0]!.at(-1)).toBe("x BLEU");
  });

  it("warns of rows that have the id of an earlier row", async () => {
    await writeFile(at("twice.jsonl"), [...rows, rows[5]].map((row) => JSON.stringify(row)).join("\n"));
    const said = async (data: string) => {
      const out = await run(
        evaluateVerb(),
        "--data",
        at(data),
        "--resamples",
        "20",
        "--no-model",
        "--metrics",
        "exact",
      );
      return [out.includes("programs of 12 tasks."), vi.mocked(process.stderr.write).mock.calls.join("")];
    };
    expect(await said("twice.jsonl")).toEqual([
      true,
      expect.stringContaining('the id of an earlier row, such as "t0#5" of t0; '),
    ]);
    vi.restoreAllMocks();
    expect(await said("data.jsonl")).toEqual([true, expect.not.stringContaining("warning")]);
  });

  it("says what is to be known of a metric once, on stderr where the table has no place for it", async () => {
    const note = /^bleu of all pairs as one corpus: 0\.\d+$/gm;
    const printed = async (format: string) => {
      const out = await run(evaluateVerb(), ...args("--no-model", "--metrics", "bleu", "--format", format));
      const said = vi.mocked(process.stderr.write).mock.calls.join("");
      vi.restoreAllMocks();
      return [out, said].map((text) => text.match(note)?.length ?? 0);
    };
    expect(await printed("text")).toEqual([1, 0]);
    for (const format of ["csv", "json"]) expect(await printed(format)).toEqual([0, 1]);
  });

  it("goes by the modules that the set's manifest names", async () => {
    const [row] = (await readFile(at("data.jsonl"), "utf8")).split("\n");
    const reference = "def f(x):\n    return x\n";
    const programs = ["numpy", "math", "distutils"].map((module) => `import ${module}\n${reference}`);
    const rows = programs.map((candidate, i) => ({ ...JSON.parse(row!), sample_id: `${i}`, candidate, reference }));
    await writeFile(at("there.jsonl"), rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
    type Column = { readonly signature: string; readonly mean: number };
    const measured = async (): Promise<Column[]> => {
      const flags = ["--data", at("there.jsonl"), "--no-model", "--metrics", "gate,rule", "--format", "json"];
      return JSON.parse(await run(evaluateVerb(), ...flags)).columns.slice(0, 2);
    };
    const [gate, rule] = await measured(); // with Python 3.11's library: math and distutils
    await writeFile(at("there.jsonl.manifest.json"), JSON.stringify({ executor: { modules: ["math", "sys"] } }));
    const [gateThere, ruleThere] = await measured();
    expect([gate!.mean, gateThere!.mean]).toEqual([2 / 3, 1 / 3]);
    expect(ruleThere!.mean).toBeLessThan(0.6 * rule!.mean);
    for (const { signature } of [gate!, rule!]) expect(signature).toContain("|modules:py3.11");
    for (const { signature } of [gateThere!, ruleThere!]) expect(signature).toMatch(/\|modules:[0-9a-f]{8}$/);
  });

  it("prints JSON, CSV and Markdown", async () => {
    const json = JSON.parse(
      await run(evaluateVerb(), ...args("--no-model", "--metrics", "chrf", "--format", "json")),
    ) as {
      columns: { name: string }[];
    };
    expect(json.columns.map(({ name }) => name)).toEqual(["chrf", "difficulty-only oracle"]);
    const csv = await run(
      evaluateVerb(),
      ...args("--scores", `x=${at("good.jsonl")}`, "--metrics", "none", "--format", "csv"),
    );
    expect(
      csv
        .trim()
        .split("\n")
        .map((line) => line.split(",")[0]),
    ).toEqual(["metric", "x", "difficulty-only oracle"]);
    const markdown = await run(evaluateVerb(), ...args("--no-model", "--format", "markdown"));
    expect(markdown).toMatch(/^\| metric \| mean score \|/);
  });

  it("shows one table, by name others or all, with a title each; thresholds from --dev", async () => {
    const flags = ["--scores", at("good.jsonl"), "--metrics", "bleu"];
    const titles = (out: string) => out.split("\n\n").map((part) => part.split("\n")[0]!);
    expect(titles(await run(evaluateVerb(), ...args(...flags)))).toHaveLength(2); // the table and the notes
    const all = await run(evaluateVerb(), ...args(...flags, "--tables", "all"));
    expect(titles(all).map((title) => title.split(" (")[0])).toEqual([
      "Agreement with PassRatio",
      "Telling programs of one task apart",
      "Choosing a program of each task by its score",
      "Predicting which programs pass every test",
      "Predicting which programs run on every test",
      "Calibration of scores and intervals",
      "pass@k by execution",
      "pass@k by model",
      "96 programs of 12 tasks.",
    ]);
    const two = await run(evaluateVerb(), ...args(...flags, "--tables", "exec,within"));
    expect(two).toContain("Predicting which programs run");
    expect(two).not.toContain("pass@k");
    const dev = await run(evaluateVerb(), ...args(...flags, "--dev", at("data.jsonl")));
    expect(dev).toMatch(/^good .*cross-fit/m);
    expect(dev).toMatch(/^bleu .*dev/m);
  });

  it("measures labels from other tests, and a part of the rows", async () => {
    const out = await run(
      evaluateVerb(),
      ...args("--no-model", "--execution", `same=${at("data.jsonl")}`, "--only", "well-formed"),
    );
    expect(out).toMatch(/^AvgPassRatio \(same\) +0\.\d+ +1\.000 +1\.000/m);
    expect(out).toContain("left out: 0 that are not well-formed");
  });

  it("writes what the file's ending says", async () => {
    const flags = args("--scores", at("good.jsonl"), "--metrics", "none");
    expect(await run(evaluateVerb(), ...flags, "--tables", "all", "--output", at("out.tex"))).toBe("");
    expect(await readFile(at("out.tex"), "utf8")).toContain("\\toprule");
    await run(evaluateVerb(), ...flags, "--output", at("out.json"));
    expect(JSON.parse(await readFile(at("out.json"), "utf8"))).toHaveProperty("columns");
    await run(evaluateVerb(), ...flags, "--output", at("out.csv"), "--format", "markdown");
    expect(await readFile(at("out.csv"), "utf8")).toMatch(/^\| metric/);
  });

  it("takes several files of scores", async () => {
    const out = await run(
      evaluateVerb(),
      ...args("--scores", at("good.jsonl"), "--scores", at("bad.jsonl"), "--metrics", "none", "--format", "csv"),
    );
    expect(
      out
        .split("\n")
        .map((line) => line.split(",")[0])
        .slice(1, 3),
    ).toEqual(["good", "bad"]);
  });

  it("scores with several models, called by their paths where their folders are called alike", async () => {
    const names = async (...models: string[]) => {
      const flags = models.flatMap((model) => ["--model", model]);
      const out = await run(evaluateVerb(), ...args(...flags, "--metrics", "none", "--format", "json"));
      return (JSON.parse(out) as { columns: { name: string }[] }).columns.map(({ name }) => name).slice(0, 2);
    };
    expect(await names("small", "tiny")).toEqual(["small", "tiny"]);
    const [a, b] = [at("a/model"), at("b/model")];
    for (const folder of [a, b]) await cp(join(packageRoot, "models", "codescore-tiny"), folder, { recursive: true });
    expect(await names(a, b)).toEqual([a, b]);
  });

  it.each([
    ["an unknown metric", ["--metrics", "blue"], "no metric is called `blue`"],
    ["an unknown metric, and those there are", ["--metrics", "blue"], ", behaviour"],
    ["a missing file of scores", ["--scores", "nowhere.jsonl"], "cannot read nowhere.jsonl: no such file"],
    ["an unknown format", ["--format", "pdf"], "Allowed choices are text, markdown, csv, json, latex"],
    ["an output of no known format", ["--output", "t.pdf"], "t.pdf: expected a file ending in .txt"],
    ["an unknown table", ["--tables", "corelation"], "no table is called `corelation`; there are correlation, formats"],
    ["formats without a model", ["--no-model", "--tables", "formats"], "the table `formats` needs exactly one --model"],
    [
      "formats of two models",
      ["--model", "small", "--model", "tiny", "--tables", "formats"],
      "the table `formats` needs exactly one --model",
    ],
    ["a table with nothing in it", ["--no-model", "--tables", "exec"], "no data for the table exec"],
    ["an unknown part", ["--only", "clean"], "Allowed choices are well-formed"],
  ])("refuses %s", async (_, more, message) => {
    await expect(run(evaluateVerb(), ...args(...more))).rejects.toThrow(message);
  });
});

describe("compare", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), "--resamples", "50", ...more];

  it("prints the difference of two files of scores", async () => {
    const out = await run(
      compareVerb(),
      ...args("--scores", at("bad.jsonl"), "--scores", at("good.jsonl"), "--format", "json"),
    );
    const { measures } = JSON.parse(out) as { measures: { measure: string; difference: number }[] };
    expect(measures.map(({ measure }) => measure)).toEqual(["Spearman r_s", "Kendall tau-b", "within-task AUC", "MAE"]);
    expect(measures[0]!.difference).toBeGreaterThan(0);
    expect(measures[3]!.difference).toBeLessThan(0);
  });

  it("puts a metric of text beside a file", async () => {
    const out = await run(compareVerb(), ...args("--metrics", "chrf", "--scores", at("good.jsonl")));
    expect(out).toMatch(/^measure\s+A: chrf\s+B: good/);
  });

  it("compares on a part of the rows, as LaTeX too", async () => {
    const out = await run(
      compareVerb(),
      ...args("--metrics", "bleu,chrf", "--only", "well-formed", "--format", "latex"),
    );
    expect(out).toContain("% 96 of 96 programs (well-formed), 12 tasks;");
    expect(out).toContain("Spearman r\\_s");
  });

  it("wants two systems", async () => {
    await expect(run(compareVerb(), ...args("--scores", at("bad.jsonl")))).rejects.toThrow("expected two systems");
  });
});

describe("estimate", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), ...more];

  it("prints both estimates of both measures", async () => {
    const out = await run(estimateVerb(), ...args("--scores", at("good.jsonl"), "--budget", "0.25", "--format", "csv"));
    const lines = out
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    expect(lines.map(([measure, from]) => `${measure} ${from}`)).toEqual([
      "measure from",
      "AvgPassRatio executions",
      "AvgPassRatio with scores",
      "pass@1 executions",
      "pass@1 with scores",
    ]);
    const text = await run(estimateVerb(), ...args("--metrics", "chrf", "--budget", "0.25"));
    expect(text).toContain("24 of 96 programs executed (12 tasks), scores for all from chrf.");
    expect(text).not.toContain("warning");
    const few = await run(estimateVerb(), ...args("--metrics", "chrf", "--draw", "tasks", "--budget", "0.25"));
    expect(few).toContain("warning: 3 of 12 tasks were drawn; fewer than 10 give no reliable interval.");
  });

  it("takes what running some programs without tests showed as a level between scores and tests", async () => {
    const shown = noisyScores(rows, 0.05, 3).map((score, i) => ({
      id: rows[i]!.sample_id,
      score,
      behaviour: { source: i === 3 ? null : "reference" },
    }));
    const write = (name: string, lines: readonly object[]) =>
      writeFile(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await write("run.jsonl", shown);
    const more = ["--scores", at("good.jsonl"), "--budget", "0.25", "--behaviour", at("run.jsonl")];
    const out = await run(estimateVerb(), ...args(...more, "--behaviour-share", "0.5", "--format", "json"));
    const { counts, measures } = JSON.parse(out);
    expect(counts).toMatchObject({ programs: 96, executed: 24, run: 48 });
    for (const { behaviour, powered } of measures) {
      expect(behaviour.high - behaviour.low).toBeLessThan(powered.high - powered.low);
    }
    const text = await run(estimateVerb(), ...args(...more));
    expect(text).toMatch(/^AvgPassRatio +with behaviour/m);
    expect(text).toContain("96 programs run without tests, including the executed ones.");
    expect(text).toMatch(/times as wide, with behaviour 0\.\d\d times\./);
    const repeated = await run(estimateVerb(), ...args(...more, "--repeat", "20"));
    expect(repeated).toMatch(/^AvgPassRatio +with behaviour/m);

    const refused: [readonly object[], string][] = [
      [shown.map((line) => ({ ...line, behaviour: undefined })), "none of its programs was run"],
      [[...shown, { ...shown[0], id: "t9#99" }], '`id` "t9#99" is not a `sample_id` of the set'],
      [[...shown, shown[0]!], "occurs twice"],
      [[{ ...shown[0], score: "high" }], 'expected `score` to be a number, got "high"'],
    ];
    for (const [lines, message] of refused) {
      await write("run.jsonl", lines);
      await expect(run(estimateVerb(), ...args(...more))).rejects.toThrow(message);
    }
    await expect(
      run(estimateVerb(), ...args("--scores", at("good.jsonl"), "--behaviour-share", "0.5")),
    ).rejects.toThrow("expected --behaviour with --behaviour-share");
  });

  it("shows what executing the doubtful ones gives", async () => {
    const out = await run(estimateVerb(), ...args("--scores", at("good.jsonl"), "--cascade", "--threshold", "0.9"));
    expect(out.split("\n")[0]).toMatch(
      /^share executed +accuracy unsure +accuracy random +accuracy oracle +MAE unsure/,
    );
    expect(out).toContain(
      "96 programs of 12 tasks. A share of them is executed; the others keep their score. accuracy: share of right predictions whether a program passes all tests; threshold 0.900.",
    );
  });

  it("counts rows without a label as not executed with --budget all, and says which scores are not used", async () => {
    const isKept = (_: unknown, i: number): boolean => i % 4 === 0;
    const some = rows.map((row, i) => (isKept(row, i) ? row : { ...row, pass_ratio: null, executable: null }));
    await writeFile(at("some.jsonl"), some.map((row) => JSON.stringify(row)).join("\n"));
    await writeFile(
      at("kept.jsonl"),
      some
        .filter(isKept)
        .map((row) => JSON.stringify(row))
        .join("\n"),
    );
    const estimated = async (data: string): Promise<[string, string]> => {
      vi.restoreAllMocks();
      const text = await run(estimateVerb(), "--data", at(data), "--scores", at("good.jsonl"), "--budget", "all");
      return [text, vi.mocked(process.stderr.write).mock.calls.join("")];
    };
    const [all, silent] = await estimated("some.jsonl");
    const [few, told] = await estimated("kept.jsonl");
    expect(all).toContain("24 of 96 programs executed");
    expect(silent).not.toContain("not used");
    expect(all).toMatch(/ width +weight$/m);
    expect(all).toContain("weight: how much the scores (or behaviour) count");
    expect(few).toMatch(/ weight +all labels$/m);
    expect(few).toContain("24 of 24 programs executed");
    expect(told).toContain("good.jsonl: 72 scores not used, of programs without a row in the labelled set");
  });

  it("writes which programs to execute, the most doubtful first, without their labels", async () => {
    const unlabelled = rows.map((row) => JSON.stringify({ ...row, pass_ratio: null, executable: null }));
    await writeFile(at("unlabelled.jsonl"), unlabelled.join("\n"));
    const more = ["--budget", "0.25", "--threshold", "0.8", "--choose", at("chosen.jsonl")];
    await run(estimateVerb(), "--data", at("unlabelled.jsonl"), "--scores", at("good.jsonl"), ...more);
    const chosen = (await readFile(at("chosen.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const far = chosen.map(({ score }) => Math.abs(score - 0.8));
    expect(chosen).toHaveLength(24);
    expect(far).toEqual([...far].sort((a, b) => a - b));
    const rest = noisyScores(rows, 0.2, 2).filter((_, i) => !chosen.some(({ id }) => id === rows[i]!.sample_id));
    for (const score of rest) expect(Math.abs(score - 0.8)).toBeGreaterThanOrEqual(far.at(-1)!);
  });

  it("repeats the drawing", async () => {
    const more = ["--budget", "0.25", "--repeat", "50", "--format", "json"];
    const { measures, settings } = JSON.parse(
      await run(estimateVerb(), ...args("--scores", at("good.jsonl"), ...more)),
    );
    expect(settings).toMatchObject({ repeats: 50, budget: 0.25, draw: "within" });
    expect(measures[0].powered.coverage).toBeGreaterThan(0.8);
    expect(measures[0].widthRatio).toBeLessThan(1);
  });

  it.each([
    ["neither scores nor a metric", [], "expected either one --scores FILE or one metric"],
    ["pass@k of a few programs a task", ["--metrics", "chrf", "--budget", "0.25", "--k", "2"], "use --draw tasks"],
    ["an RTC run beside the data", ["--rtc", "runs/mini"], "expected either --data or --rtc"],
    ["no budget", ["--metrics", "chrf", "--budget", "0"], "Expected a share above 0, or `all`."],
    ["a budget below one program a task", ["--metrics", "chrf", "--budget", "0.1"], "fewer than the 12 tasks"],
  ])("refuses %s", async (_, more, message) => {
    await expect(run(estimateVerb(), ...args(...more))).rejects.toThrow(message);
  });
});
