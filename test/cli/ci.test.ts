/** What CI systems show for `--fail-under`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOMParser } from "linkedom";
import { describe, expect, it } from "vitest";
import { CiReport } from "../../src/cli/score/ci.ts";
import { LimitedRows, type Limits } from "../../src/cli/score/limit.ts";
import type { OutputRow } from "../../src/score/index.ts";
import { tempFolder } from "../problems/helpers.ts";
import { codescoreHere } from "./run.ts";

const score = { exec: 1, format: "ref", signature: "s" } as const;
const HOSTILE = '"]]><failure/>&\u0000\n::error::%0A';
const ROWS: readonly OutputRow[] = [
  { id: "a.py", result: { ...score, score: 0.9, conclusion: "looks-right", reason: "not executed" } },
  {
    id: "b,c:d.py",
    result: {
      ...{ ...score, score: 0, conclusion: "fails", reason: "line 3: `x` is not defined" },
      findings: [{ line: 3, what: "`x` is not defined", certain: true }],
    },
  },
  { id: HOSTILE, task: "t", result: { error: { code: "input", message: HOSTILE } } },
];

const report = (limits: Limits = { under: 0.5, on: [] }): CiReport => {
  const ci = new CiReport(limits);
  for (const row of ROWS) ci.add(row);
  return ci;
};

describe("JUnit XML", () => {
  it("has a test case a row, failed below the limit, whatever stands in the rows", () => {
    const xml = report().junit(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none
    expect(xml).not.toMatch(/[\0-\x08]/);
    const document = new DOMParser().parseFromString(xml, "text/xml");
    const suite = document.querySelector("testsuite")!;
    expect(["tests", "failures", "errors"].map((name) => suite.getAttribute(name))).toEqual(["3", "1", "1"]);
    expect([...document.querySelectorAll("testcase")].map((one) => one.children[0]!.tagName)).toEqual([
      "system-out",
      "failure",
      "error",
    ]);
    expect(document.querySelector("failure")!.getAttribute("message")).toBe(
      "score 0.000, fails: line 3: `x` is not defined (below 0.5)",
    );
    const places = [...document.querySelectorAll("testcase")].map((one) => one.getAttribute("line"));
    expect(places).toEqual([null, "3", null]);
    expect(report().junit(false)).not.toContain("line=");
    expect(document.querySelectorAll("testcase")[2]!.getAttribute("classname")).toBe("t");
  });

  it.each<[string, Limits, string]>([
    ["is skipped if only conclusions decide", { under: undefined, on: ["fails"] }, "skipped"],
    ["passes above --fail-under", { under: 0.5, on: ["fails"] }, "system-out"],
    ["fails below --fail-under", { under: 0.8, on: ["fails"] }, "failure"],
    ["fails with --fail-on unknown", { under: undefined, on: ["fails", "unknown"] }, "failure"],
    ["fails with --fail-on unknown above --fail-under", { under: 0.5, on: ["unknown"] }, "failure"],
  ])("a row of which nothing is known %s", (_, limits, tag) => {
    const ci = new CiReport(limits);
    ci.add({ id: "a.py", result: { ...score, score: 0.7, conclusion: "unknown", reason: "not executed" } });
    const document = new DOMParser().parseFromString(ci.junit(true), "text/xml");
    const [only] = document.querySelector("testcase")!.children;
    expect(only!.tagName).toBe(tag);
    expect(only!.getAttribute("message") ?? only!.textContent).toMatch(/^score 0\.700, unknown: not executed/);
    expect(document.querySelector("testsuite")!.getAttribute("skipped")).toBe(tag === "skipped" ? "1" : "0");
    expect(ci.annotations(true) === "").toBe(tag !== "failure");
  });
});

describe("annotations", () => {
  it("stand at the file and line at fault; a text neither ends its command nor begins another", () => {
    const [first, second, ...more] = report().annotations(true).split("\n");
    expect(first).toBe(
      "::error file=b%2Cc%3Ad.py,line=3,title=codescore%3A below 0.5::score 0.000, fails: line 3: `x` is not defined",
    );
    expect(second).toMatch(/^::error file=.*%0A%3A%3Aerror.*title=codescore%3A not scored::/);
    expect(more).toEqual([""]);
  });

  it("name the line where Python stops, or where the function with the wrong answer is defined", async () => {
    const folder = tempFolder();
    const programs = {
      "ref.py": "def f(x):\n    return 2 * x\n",
      "refused.py": "import os\n\ndef f(x):\n    nonlocal y\n    return 2 * x\n",
      "unclosed.py": "(x = 1\ny = 2\ndef f(x):\n    return 2 * x\n",
      "wrong.py": "def f(x):\n    return 0\n\nasync def g(f):\n    pass\n\ndef f(x):\n    return 3 * x\n",
      "answer.md": "Here:\n\n```python\ndef f(x):\n    return z\n```\n",
      "answers.md": "Here:\n```python\ndef f(x):\n    return z\n```\nor\n```python\ndef f(x):\n    return y\n```\n",
    };
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
    const names = Object.keys(programs).slice(1);
    const flags = ["--reference", "ref.py", "--fail-on", "fails", "--annotate", "--junit", "out.xml"];
    const linesOf = async (...more: string[]) => {
      const { stderr } = await codescoreHere(["score", ...flags, ...more, ...names], { cwd: folder });
      return [...stderr.matchAll(/^::error file=(\w+)\.\w+,(?:line=(\d+),)?/gm)].map(([, name, line]) => [name, line]);
    };
    const [refused, answer, answers] = [
      ["refused", "4"],
      ["answer", "5"],
      ["answers", undefined], // it is unknown which of the blocks is the program
    ];
    expect(await linesOf()).toEqual([refused, ["unclosed", undefined], answer, answers]);
    expect(await linesOf("--run")).toEqual([refused, ["unclosed", "1"], ["wrong", "7"], answer, answers]);
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain('name="wrong.py" file="wrong.py" line="7">');
  });

  it("name the only output of a program that reads standard input, or else its first statement", async () => {
    const folder = tempFolder();
    const programs = {
      "ref.py": "print(sum(int(x) for x in input().split()))\n",
      "one.py": "# print(1)\nxs = input().split()\n\nprint(max(int(x) for x in xs))\n",
      "two.py": "# sums\n\nxs = input().split()\nif len(xs) > 1:\n    print(0)\nelse:\n    print(xs[0])\n",
    };
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "task.txt"), "Read integers on one line of standard input. Print their sum.\n");
    const task = ["--reference", "ref.py", "--description", "task.txt"];
    const flags = [...task, "--run", "--fail-on", "fails", "--annotate", "--junit", "out.xml"];
    const { stderr } = await codescoreHere(["score", ...flags, "one.py", "two.py"], { cwd: folder });
    expect(stderr).toMatch(/^::error file=one\.py,line=4,/m);
    expect(stderr).toMatch(/^::error file=two\.py,line=3,/m);
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain('name="two.py" file="two.py" line="3">');
  });

  it("name rows that are no files", () => {
    expect(report().annotations(false)).toMatch(/^::error title=codescore%3A below 0\.5::b,c:d\.py: score 0\.000/);
  });

  it("go with --fail-under or --fail-on", async () => {
    for (const flags of [["--annotate"], ["--junit", "x.xml"]]) {
      const { code, stderr } = await codescoreHere(["score", ...flags, "a.py"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("need --fail-under or --fail-on")]);
    }
  });
});

describe("--fail-on", () => {
  const sure: OutputRow = {
    id: "e.py",
    result: { ...score, score: 0.87, conclusion: "fails", reason: "f(1): expected 2, got 3" },
  };
  const run = (limits: Limits) => {
    const [rows, ci] = [new LimitedRows(limits), new CiReport(limits)];
    for (const row of [ROWS[0]!, sure]) {
      rows.add(row);
      ci.add(row);
    }
    return { allPass: rows.allPass, said: `${rows}`, advice: rows.advice(true), annotations: ci.annotations(true) };
  };

  it("does not repeat the conclusion in JUnit XML", () => {
    const ci = new CiReport({ under: 0.9, on: ["fails"] });
    ci.add(sure);
    expect(ci.junit(false)).toContain('<failure message="score 0.870, fails: f(1): expected 2, got 3"/>');
  });

  it("refuses a row that fails for certain, whatever its score", () => {
    expect(run({ under: 0.8, on: [] })).toEqual({
      allPass: true,
      said: "",
      advice: expect.stringMatching(
        /1 of 2 passing rows pass by resemblance.*\n1 passing row has the conclusion "fails": add --fail-on fails/,
      ),
      annotations: "",
    });
    expect(run({ under: 0.8, on: ["fails"] })).toEqual({
      allPass: false,
      said: "refused: 1 fails",
      advice: expect.not.stringContaining("--fail-on"),
      annotations: "::error file=e.py,title=codescore%3A fails::score 0.870, fails: f(1): expected 2, got 3\n",
    });
    expect(run({ under: undefined, on: ["fails", "looks-right"] }).said).toBe("refused: 1 looks right, 1 fails");
  });

  it("counts a row as passing by resemblance only where no run says more of it", () => {
    const behaviour = {
      agree: null,
      inputs: 4,
      examples: null,
      samples: 0.5,
      source: "samples",
      counterexample: null,
    } as const;
    const rows = new LimitedRows({ under: 0.5, on: [] });
    const unknown = { ...score, score: 0.9, conclusion: "unknown", reason: "" } as const;
    rows.add({ id: 1, result: unknown });
    rows.add({
      id: 2,
      result: { ...unknown, behaviour: { ...behaviour, source: null, inputs: 0, reason: "no input" } },
    });
    rows.add({ id: 3, result: { ...unknown, behaviour } });
    expect(rows.advice(true)).toBe(
      "2 of 3 passing rows pass by resemblance alone: no run could judge them; `behaviour.reason` of each row says why\n" +
        '1 passing row ran and has the conclusion "unknown": add --fail-on unknown to refuse such rows, whatever they score\n',
    );
  });

  it("takes conclusions alone", async () => {
    const { code, stderr } = await codescoreHere(["score", "--fail-on", "fails,wrong", "a.py"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("Expected one or several of fails, unknown, looks-right"),
    ]);
  });
});
