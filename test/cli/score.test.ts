/** `codescore score` as users call it: inputs and outputs. Wrong inputs are in bad-input.test.ts. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score } from "../../src/types.ts";
import { makeModel } from "../score/model.ts";
import { codescore, codescoreHere } from "./run.ts";

const REFERENCE = "def f(a, b):\n    return a + b\n";
const ROWS = [
  { id: "a", task_id: "t/1", candidate: "def f(a, b):\n    return b + a\n", reference: REFERENCE, description: null },
  {
    id: "b",
    task_id: "t/2",
    candidate: "def f(a):\n    return a - 1\n",
    reference: null,
    description: 'Takes 1, "a".',
  },
  { id: "c", task_id: "t/1", candidate: "def f(a, b):\n    return\n", reference: REFERENCE, description: "Adds." },
  { id: "d", task_id: "t/1", candidate: "def f(a, b):\n    return b + a\n", reference: REFERENCE, description: null },
];

interface Row extends Score {
  readonly id: unknown;
  readonly task_id?: string;
  readonly rank?: number;
  readonly tied?: number;
}

let folder: string;
let model: string;
let expected: Score[];
const file = (name: string): string => join(folder, name);
const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const read = (text: string): Row[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
const run = (args: readonly string[], stdin = "") =>
  codescoreHere(["score", "--model", model, ...args], { stdin, cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-score-"));
  model = await makeModel();
  await writeFile(file("rows.jsonl"), jsonl(ROWS));
  const csv = ROWS.map((row) =>
    Object.values(row)
      .map((cell) => `"${(cell ?? "").replaceAll('"', '""')}"`)
      .join(","),
  );
  await writeFile(file("rows.csv"), `${Object.keys(ROWS[0]!).join(",")}\n${csv.join("\n")}\n`);
  const columnData = Object.keys(ROWS[0]!).map((name) => ({
    name,
    data: ROWS.map((row) => row[name as keyof (typeof ROWS)[number]]),
    type: "STRING" as const,
  }));
  parquetWriteFile({ filename: file("rows.parquet"), columnData });
  for (const path of ["refs", "cands/two", "texts"]) await mkdir(file(path), { recursive: true });
  await writeFile(file("refs/one.py"), REFERENCE);
  await writeFile(file("refs/two.py"), REFERENCE);
  await writeFile(file("cands/one.py"), ROWS[0]!.candidate);
  await writeFile(file("cands/two/1.py"), ROWS[2]!.candidate);
  await writeFile(file("cands/two/2.py"), ROWS[0]!.candidate);
  await writeFile(file("texts/one.txt"), "Adds.");
  await writeFile(file("texts/two.md"), "Adds.");
  const scorer = await CodeScorer.load(model, { threads: 1 });
  expected = (await scorer.scoreAll(ROWS)) as Score[];
  await scorer.close();
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

const sameScores = (rows: readonly { readonly score: number }[], wanted: readonly Score[] = expected): void => {
  expect(rows).toHaveLength(wanted.length);
  for (const [i, { score }] of rows.entries()) expect(score).toBeCloseTo(wanted[i]!.score, 6);
};

it("warns of rows that have the id of an earlier row, and scores them", async () => {
  const other = { ...ROWS[0]!, task_id: "t/2" }; // the same id, but in another task
  const { code, stdout, stderr } = await run([], jsonl([...ROWS, other, ROWS[1]!, ROWS[2]!]));
  expect(code).toBe(0);
  expect(read(stdout)).toHaveLength(7);
  expect(stderr).toMatch(
    /^warning: 2 rows have the id of an earlier row, such as "b" of t\/2; expected unique ids: .*$/m,
  );
  expect((await run([], jsonl([...ROWS, other]))).stderr).not.toContain("warning");
});

it("says in its help what the exit codes mean", async () => {
  const { stdout } = await codescoreHere(["score", "--help"]);
  expect(stdout).toContain("1 a row has an error, or did not pass --fail-under or --fail-on; 2 wrong use");
});

describe("codescore score takes", () => {
  it.each([
    ["JSON lines", ["--input", "rows.jsonl"], ""],
    ["CSV", ["--input", "rows.csv"], ""],
    ["Parquet", ["--input", "rows.parquet"], ""],
    ["JSON lines on stdin", [], jsonl(ROWS)],
  ])("%s", async (_, args, stdin) => {
    const { code, stdout, stderr } = await run(args, stdin);
    expect(code).toBe(0);
    const rows = read(stdout);
    sameScores(rows);
    expect(rows.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(rows.map(({ format }) => format)).toEqual(["ref", "nl", "ref+nl", "ref"]);
    expect(rows[0]!.signature).toMatch(/^codescore\|model:[0-9a-f]{8}\|input:ref\|max:\d+\|/);
    expect(stderr).toMatch(/^scored 4 rows in .*\/s\): 2 ref, 1 nl, 1 ref\+nl; [^|]*\n$/);
  });

  it("a wish for the signatures, one a line, which no summary has", async () => {
    const { stdout, stderr } = await run(["--signature"], jsonl(ROWS));
    const signatures = [...new Set(read(stdout).map(({ signature }) => signature!))].sort();
    expect(signatures).toHaveLength(3); // one for each format
    expect(stderr.split("\n").slice(1)).toEqual([...signatures.map((one) => `signature: ${one}`), ""]);
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    for (const one of signatures) expect(one).toMatch(new RegExp(`\\|v:${version.replaceAll(".", "\\.")}$`));
  });

  it("files against one reference", async () => {
    await writeFile(file("a.py"), `\ufeff${ROWS[0]!.candidate}`);
    await writeFile(file("b.py"), ROWS[2]!.candidate);
    const { code, stdout } = await run(["--reference", "refs/one.py", "a.py", "b.py"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^a\.py {2}score [01]\.\d{3} {2}exec [01]\.\d{3} {2}unknown \(not executed\)\nb\.py {2}score [01]\.\d{3} {2}exec [01]\.\d{3} .*\n$/,
    );
    expect(Number(/score (\S+)/.exec(stdout)![1])).toBeCloseTo(expected[0]!.score, 3);
  });

  it("folders, paired by name", async () => {
    const { code, stdout } = await run(["--reference", "refs", "--description", "texts", "cands", "--json"]);
    expect(code).toBe(0);
    const rows = read(stdout);
    expect(rows.map(({ id, format }) => [id, format])).toEqual([
      ["cands/one.py", "ref+nl"],
      ["cands/two/1.py", "ref+nl"],
      ["cands/two/2.py", "ref+nl"],
    ]);
    sameScores([rows[1]!], [expected[2]!]);
  });

  it("one format for all rows, with an error where a row does not have it", async () => {
    const { code, stdout, stderr } = await run(["--input", "rows.jsonl", "--format", "ref"]);
    expect(code).toBe(1);
    expect(stdout.match(/"format":"ref"/g)).toHaveLength(3);
    expect(stdout).toMatch('"message":"rows.jsonl:2: the format ref needs a reference, got none"');
    expect(stderr).toMatch(/: 3 ref; 3 unknown; 1 with an error\n/);
  });

  it("the form of the network that is asked for", async () => {
    const scores = await Promise.all(
      ["fp32", "fp16", "int8"].map(async (form) =>
        read((await run(["--input", "rows.csv", "--precision", form])).stdout),
      ),
    );
    expect(new Set(scores.map(([first]) => first!.signature)).size).toBe(3);
    for (const rows of scores)
      for (const [i, { score }] of rows.entries()) expect(score).toBeCloseTo(expected[i]!.score, 1);
  });
});

describe("codescore score gives", () => {
  it.each(["jsonl", "jsonl.gz", "csv", "json"])("a file that ends in .%s", async (ending) => {
    const { code, stdout, stderr } = await run(["--input", "rows.jsonl", "--output", `out/scores.${ending}`]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(`wrote out/scores.${ending}\n`);
    const bytes = await readFile(file(`out/scores.${ending}`));
    const text = (ending.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
    if (ending === "csv") {
      const rows = parse(text, {
        columns: true,
        cast: (cell, { column }) => (column === "score" ? Number(cell) : cell),
      });
      sameScores(rows as Row[]);
      expect(rows[1]).toMatchObject({ id: "b", format: "nl", cut_candidate: "0", error: "", rank: "" });
    } else if (ending === "json") {
      const { rows, summary } = JSON.parse(text) as { rows: Row[]; summary: object };
      sameScores(rows);
      expect(summary).toMatchObject({ rows: 4, errors: 0, formats: { ref: 2, nl: 1, "ref+nl": 1 }, cut: { rows: 0 } });
    } else sameScores(read(text));
  });

  it("a table", async () => {
    const long = { ...ROWS[0]!, id: "long\u001b[31m", candidate: "a = 1\n".repeat(500) };
    const { stdout, stderr } = await run(["--as", "table"], jsonl([...ROWS, long]));
    expect(stdout.split("\n")[1]).toMatch(/^b +score 0\.\d{3} {2}exec 0\.\d{3} {2}unknown \(not executed\)$/);
    expect(stdout.split("\n")[4]).toMatch(/^"long\\u001b\[31m" {2}score .* \d+ tokens cut$/);
    expect(stderr).toMatch(/; 1 cut to fit \(\d+ tokens of candidates\)\n/);
  });

  it("ranks, ties and all, task by task", async () => {
    const bad = { id: "e", task_id: "t/1", candidate: "" };
    const { code, stdout } = await run(["--rank"], jsonl([...ROWS, bad]));
    expect(code).toBe(1);
    const rows = read(stdout);
    const [first, second] = expected[0]!.score > expected[2]!.score ? [["a", "d"], ["c"]] : [["c"], ["a", "d"]];
    expect(rows.map(({ id }) => id)).toEqual([...first!, ...second!, "e", "b"]);
    expect(rows.map(({ task_id }) => task_id)).toEqual(["t/1", "t/1", "t/1", "t/1", "t/2"]);
    const ranks = first!.length === 2 ? [1, 1, 3, undefined, 1] : [1, 2, 2, undefined, 1];
    expect(rows.map(({ rank }) => rank)).toEqual(ranks);
    expect(rows.map(({ id, tied }) => [id, tied])).toContainEqual(["d", 2]);
    const table = await run(["--rank", "--as", "table"], jsonl([...ROWS, bad]));
    expect(table.stdout).toMatch(/^t\/1\n(1= {4}a {2}score .*\n1= {4}d .*\n3|1 {5}c .*\n2= {4}a .*\n2=) /);
    expect(table.stdout).toMatch(/\n- {5}e {2}error: stdin:5: .*\nt\/2\n1 {5}b {2}score/);
  });

  it("the best of n; candidates for the same reference and description are of one task", async () => {
    const { code, stdout, stderr } = await run(["--best"], jsonl(ROWS.map(({ task_id, ...row }) => row)));
    expect(code).toBe(0);
    expect(stderr).toMatch(/\nbest of 3 tasks: 3 unknown\n/);
    expect(read(stdout).map(({ id, rank, tied }) => [id, rank, tied])).toEqual([
      ["a", 1, 2],
      ["b", 1, 1],
      ["c", 1, 1],
    ]);
  });

  it("the best of n of a file with bad rows, none of which counts as a task", async () => {
    const { candidate, reference } = ROWS[0]!;
    const bad = [{ candidate: 5, reference }, { candidate }].map((row) => JSON.stringify(row));
    const input = [JSON.stringify({ candidate, reference }), "not a row", ...bad].join("\n");
    const { code, stdout, stderr } = await run(["--best"], input);
    expect([code, read(stdout).length]).toEqual([1, 3]);
    expect(stderr).toMatch(
      /\nbest of 1 task: 1 [a-z ]+; 1 row with an error not printed \(stdin:3: expected `candidate`/,
    );
    expect(stderr).not.toContain("more task");
    const table = await run(["--best", "--as", "table"], input);
    expect(table.stdout).toMatch(/\n\(no task\)\n- {5}1 {2}error: stdin:2: .*\n- {5}3 {2}error: stdin:4: /);
    expect(table.stdout).toMatch(/^\(a task without a task_id\)\n1 /);
  });

  it("samples without a reference by how far they agree, with --consensus", async () => {
    const rows = ROWS.map((row) => ({ ...row, reference: null, description: "Adds two numbers.", task_id: "t" }));
    const { code, stdout, stderr } = await run(["--consensus", "--rank"], jsonl(rows));
    expect(code).toBe(0);
    expect(stderr).toMatch(/: 4 nl; .*; 4 with consensus\n/);
    const ranked = read(stdout);
    expect(ranked.map(({ id }) => id).slice(0, 2)).toEqual(["a", "d"]); // they are the same program
    const own = await run([], jsonl(rows));
    for (const { id, score } of read(own.stdout)) {
      const joined = ranked.find((row) => row.id === id)!;
      expect(joined.score).toBeCloseTo((score + joined.consensus!) / 2, 9);
      expect(joined.signature).toMatch(/\|consensus:rule$/);
    }
    const table = await run(["--consensus", "--as", "table"], jsonl(rows));
    expect(table.stdout).toMatch(
      /^a {2}score 0\.\d{3} {2}exec 0\.\d{3} {2}consensus 0\.\d{3} {2}(?:unknown|looks right) \(not executed\)\nb/,
    );
  });

  it("says so where --consensus has nothing to go by, and leaves the scores as they are", async () => {
    const { code, stdout, stderr } = await run(["--consensus"], jsonl(ROWS));
    expect(code).toBe(0);
    expect(read(stdout).map(({ score }) => score)).toEqual(expected.map(({ score }) => score));
    expect(stderr).toContain("no score has a consensus: it needs at least two candidates");
  });

  it.each([["--explain"], ["--explain-html", "why.html"], ["--coverage", "0.8"], ["--abstain", "0.5"]])(
    "no consensus beside %s, which is of a row alone",
    async (...flags) => {
      const { code, stdout, stderr } = await run(["--consensus", ...flags], jsonl(ROWS));
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/cannot be used with --consensus|remove --coverage/);
    },
  );

  it.each([
    ["files", ["--reference", "refs", "cands"], ""],
    ["rows", ["--input", "rows.jsonl"], ""],
    ["rows on stdin", [], jsonl(ROWS)],
  ])("a CI job its verdict on %s with --fail-under", async (_, args, stdin) => {
    expect((await run([...args, "--fail-under", "0"], stdin)).code).toBe(0);
    const { code, stderr } = await run([...args, "--fail-under", "1"], stdin);
    expect(code).toBe(1);
    expect(stderr).toMatch(/; refused: [34] below 1\n/);
  });

  it("a warning with --fail-under where what passes does so by resemblance alone", async () => {
    const { stderr } = await run(["--input", "rows.jsonl", "--fail-under", "0.01"]);
    expect(stderr).toMatch(/^4 of 4 passing rows pass by resemblance alone: .*add --run/m);
    const fails = { candidate: "", reference: REFERENCE };
    expect((await run(["--fail-under", "0"], jsonl([fails]))).stderr).not.toContain("resemblance");
  });

  it("a verdict on the best alone with --best", async () => {
    const [good, bad] = [
      Math.max(...expected.map(({ score }) => score)),
      Math.min(...expected.map(({ score }) => score)),
    ];
    const same = jsonl(ROWS.map((row) => ({ ...row, task_id: "t" })));
    const limit = String((good + bad) / 2);
    expect((await run(["--fail-under", limit], same)).code).toBe(1);
    expect((await run(["--fail-under", limit, "--best"], same)).code).toBe(0);
  });
});

it("ends quietly where its output is read no further, in the midst of a batch", async () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({ ...ROWS[0]!, id: i }));
  await writeFile(file("many.jsonl"), jsonl(many));
  const result = await codescore(["score", "--model", model, "--input", "many.jsonl"], {
    cwd: folder,
    head: true,
  });
  expect(result.code, result.stderr).toBe(0);
  expect(result.stdout.split("\n").length).toBeLessThan(3000);
  expect(result.stderr).not.toMatch(/terminate|codescore:/);
});
