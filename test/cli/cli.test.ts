/** The command as users meet it; needs `npm run build`, which `npm test` runs first. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeModel } from "../score/model.ts";
import { codescore } from "./run.ts";

const VERBS = [
  "expand",
  "mutate",
  "label",
  "pretrain",
  "train",
  "import",
  "export",
  "score",
  "evaluate",
  "compare",
  "estimate",
  "rtc",
  "serve",
  "setup",
  "datasets",
];
let folder: string;
let model: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-cli-"));
  model = await makeModel();
  await writeFile(file("ref.py"), "def f(a, b):\n    return a + b\n");
  await writeFile(file("a.py"), "def f(a, b):\n    return b + a\n");
  await writeFile(file("b.py"), "def f(a, b):\n    return a - b\n");
  await writeFile(file("broken.jsonl"), '{"candidate": "x = 1", "reference": "x = 2"}\n{"candidate": \n');
  await writeFile(file("one.jsonl"), '{"candidate": "x = 1", "reference": "x = 2"}\n');
  await writeFile(file("empty.jsonl"), "");
  await writeFile(file("array.jsonl"), "[1, 2]\n");
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

describe("codescore", () => {
  it("shows its verbs", async () => {
    const { code, stdout } = await codescore(["--help"]);
    expect(code).toBe(0);
    for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^  ${verb}\\b`, "m"));
  });

  it.each(VERBS)("%s --help has examples", async (verb) => {
    const { code, stdout } = await codescore([verb, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples?:[\\s\\S]*codescore ${verb}`));
  });

  it.each<[string, () => string[], RegExp]>([
    ["an unknown verb", () => ["scoer"], /unknown command 'scoer' \(Did you mean score\?\)/],
    ["an unknown flag", () => ["score", "--fromat", "ref"], /unknown option '--fromat' \(Did you mean --format\?\)/],
    ["a value out of range", () => ["score", "a.py", "--fail-under", "2"], /Expected a number from 0 to 1, got `2`/],
    [
      "a missing file",
      () => ["score", "--model", model, "--reference", file("ref.py"), file("no.py")],
      /cannot read .*no\.py/,
    ],
    [
      "a missing input",
      () => ["score", "--model", model, "--input", file("no.jsonl")],
      /cannot read .*no\.jsonl: no such file/,
    ],
    [
      "a malformed line",
      () => ["score", "--model", model, "--input", file("broken.jsonl")],
      /broken\.jsonl:2: expected one JSON object a line/,
    ],
    [
      "a line that is no object",
      () => ["score", "--model", model, "--input", file("array.jsonl")],
      /array\.jsonl:1: expected a JSON object/,
    ],
    ["an empty input", () => ["score", "--model", model, "--input", file("empty.jsonl")], /empty\.jsonl is empty/],
    [
      "a wrong model folder",
      () => ["score", "--model", folder, file("a.py")],
      /is not a codescore model: it has no config\.json/,
    ],
    ["a missing model folder", () => ["score", "--model", file("no"), file("a.py")], /no model folder at/],
    ["files and --input at once", () => ["score", "--input", "x", file("a.py")], /not both/],
    [
      "an output that is a folder",
      () => ["score", "--model", model, "--input", file("one.jsonl"), "--output", folder],
      /cannot write .*: it is a folder/,
    ],
    [
      "an output below a file",
      () => ["score", "--model", model, "--input", file("one.jsonl"), "--output", file("a.py/x.jsonl")],
      /cannot write .*a\.py/,
    ],
    [
      "--output with files",
      () => ["score", "--model", model, "--output", "x", file("a.py")],
      /--output goes with --input/,
    ],
    [
      "--reference with rows",
      () => ["score", "--model", model, "--reference", file("ref.py"), "--input", "x"],
      /rows bring their own/,
    ],
    [
      "an output of no known kind",
      () => ["label", "--problems", "p", "--samples", "s", "--output", "x.csv"],
      /\.arrow, \.parquet or \.jsonl/,
    ],
    ["a missing data set", () => ["train", "--data", file("no.arrow"), "--output", file("out")], /no\.arrow/],
    [
      "a device that does not exist",
      () => ["train", "--data", "x", "--output", file("out"), "--device", "tpu"],
      /`device` to be one of auto, .*got `tpu`/,
    ],
    ["a folder to export that is none", () => ["export", folder], /not a codescore model/],
    ["a folder to import that is none", () => ["import", folder, "--output", file("out")], /has no config\.json/],
    [
      "problems that are not there",
      () => ["mutate", "--problems", file("no.jsonl"), "--output", file("s.jsonl")],
      /no\.jsonl/,
    ],
    ["labelled rows that are not there", () => ["evaluate", "--data", file("no.arrow"), "--no-model"], /no\.arrow/],
  ])("%s is one clear line on stderr and a non-zero exit", async (_, args, message) => {
    const { code, stderr, stdout } = await codescore(args());
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe("");
    expect(code).not.toBe(0);
  });

  it("shows where with --debug", async () => {
    const { stderr } = await codescore(["score", "--debug", "--model", folder, file("a.py")]);
    expect(stderr).toMatch(/^\s+at /m);
  });
});

describe("codescore score", () => {
  it("scores files against a reference", async () => {
    const { code, stdout, stderr } = await codescore([
      "score",
      "--model",
      model,
      "--reference",
      file("ref.py"),
      file("a.py"),
      file("b.py"),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^.*a\.py {2}score [01]\.\d{3} {2}exec [01]\.\d{3}\n.*b\.py {2}score [01]\.\d{3} {2}exec [01]\.\d{3}\n$/,
    );
    expect(stderr).toMatch(/^codescore\|model:[0-9a-f]{8}\|input:auto\|max:\d+\|v:/);
  });

  it("gives the same scores from files, from --input and from stdin", async () => {
    const rows = await Promise.all(
      ["a.py", "b.py"].map(async (id) => ({
        id,
        candidate: await readFile(file(id), "utf8"),
        reference: await readFile(file("ref.py"), "utf8"),
      })),
    );
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    await writeFile(file("pairs.jsonl"), lines);
    const written = await codescore([
      "score",
      "--model",
      model,
      "--input",
      file("pairs.jsonl"),
      "--output",
      file("scores.jsonl"),
    ]);
    const piped = await codescore(["score", "--model", model], { stdin: lines });
    const files = await codescore([
      "score",
      "--model",
      model,
      "--json",
      "--reference",
      file("ref.py"),
      file("a.py"),
      file("b.py"),
    ]);
    expect([written.code, piped.code, files.code]).toEqual([0, 0, 0]);
    const scores = (text: string): number[] =>
      text
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { score: number }).score);
    expect(await readFile(file("scores.jsonl"), "utf8")).toBe(piped.stdout);
    expect(scores(files.stdout)).toEqual(scores(piped.stdout));
    expect(
      piped.stdout
        .split("\n")
        .slice(0, 2)
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(["a.py", "b.py"]);
  });

  it("puts an error in the place of a row that cannot be scored, scores the rest, and exits with 1", async () => {
    const stdin =
      '{"candidate": "x = 1", "reference": "x = 2"}\n{"candidate": 5, "reference": "y"}\n{"id": "z", "candidate": "x", "description": "d"}\n';
    const { code, stdout, stderr } = await codescore(["score", "--model", model], { stdin });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(1);
    expect(rows.map(({ id }) => id)).toEqual([0, 1, "z"]);
    expect(rows[1]).toEqual({
      id: 1,
      error: { code: "input", message: "expected `candidate` to be a string, got number" },
    });
    for (const row of [rows[0]!, rows[2]!]) {
      for (const key of ["score", "exec"]) {
        expect(row[key]).toBeGreaterThanOrEqual(0);
        expect(row[key]).toBeLessThanOrEqual(1);
      }
    }
    expect(stderr).toMatch(/scored 3 rows .* 1 with an error/);
  });

  it("fails a CI job with --fail-under", async () => {
    const args = ["score", "--model", model, "--reference", file("ref.py"), file("a.py"), "--fail-under"];
    expect((await codescore([...args, "0"])).code).toBe(0);
    expect((await codescore([...args, "1"])).code).toBe(1);
  });
});
