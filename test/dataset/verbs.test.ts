import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import { datasetsVerb } from "../../src/cli/datasets.ts";
import { expandVerb } from "../../src/cli/expand.ts";
import { labelVerb } from "../../src/cli/label.ts";
import { recipesOf } from "../../src/dataset/build/recipes.ts";
import { expandDefaults, readExamples, splitDefaults, splitFile, writeExamples } from "../../src/dataset/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";
import { labelledRow } from "./fake.ts";

const quiet = (verb: Command): Command => {
  for (const command of [verb, ...verb.commands]) command.exitOverride().configureOutput({ writeErr: () => {} });
  return verb;
};
const run = (verb: Command, ...args: string[]) => quiet(verb).parseAsync(args, { from: "user" });
const helpOf = (verb: Command, option: string): string =>
  verb.options.find(({ long }) => long === option)?.description ?? "";

afterEach(() => void vi.restoreAllMocks());

function capture(): { text: string } {
  const out = { text: "" };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out.text += text;
    return true;
  });
  return out;
}

it("the defaults that help texts name are the library's", () => {
  expect(helpOf(expandVerb(), "--count")).toContain(`default: ${expandDefaults.count})`);
  expect(helpOf(expandVerb(), "--seed")).toContain(`default: ${expandDefaults.seed})`);
  expect(labelVerb().opts().seed).toBe(expandDefaults.seed);
  const split = datasetsVerb().commands.find((command) => command.name() === "split") as Command;
  for (const name of ["dev", "test", "seed"] as const) {
    expect(helpOf(split, `--${name}`)).toContain(`default: ${splitDefaults[name]})`);
  }
});

describe("label", () => {
  const files = ["--problems", "p", "--samples", "s", "--output", "o.arrow"];

  it.each(["0/4", "5/4", "1", "a/b", "1/0"])("refuses --shard %s", async (shard) => {
    await expect(run(labelVerb(), ...files, "--shard", shard)).rejects.toThrow("Expected a part such as 1/4");
  });

  it.each([
    [["--sandbox", "docker"], "Allowed choices are auto, bwrap, landlock, wasm, sandbox-exec, none"],
    [["--expand", "0"], "Expected an integer of at least 1"],
    [["--colour"], "unknown option '--colour'"],
  ])("refuses %j", async (args, message) => {
    await expect(run(labelVerb(), ...files, ...args)).rejects.toThrow(message);
  });

  it("needs to be told where everything is", async () => {
    await expect(run(labelVerb(), "--problems", "p", "--samples", "s")).rejects.toThrow(
      "expected --output FILE, got none (only --stdio works without)",
    );
  });
});

describe("datasets", () => {
  const rows = Array.from({ length: 40 }, (_, i) =>
    labelledRow({ task_id: `A/${i}`, made_by: i % 4 ? "gpt" : "mutant", pass_ratio: (i % 3) / 2 }),
  );

  it("stats prints a table, or JSON", async () => {
    const file = writeRows(rows, "set.jsonl");
    const out = capture();
    await run(datasetsVerb(), "stats", file);
    expect(out.text).toMatchInlineSnapshot(`
      "40 rows on 40 problems: 40 labelled, 0 no_label, 0 infra

              rows  with PassRatio      0  between      1   mean  executable
      all       40              40  35.0%    32.5%  32.5%  0.487      100.0%
      gpt       30              30  33.3%    33.3%  33.3%  0.500      100.0%
      mutant    10              10  40.0%    30.0%  30.0%  0.450      100.0%

      PassRatio: 14 at 0; 0 0 0 0 0 13 0 0 0 0 in tenths between; 13 at 1

      words and symbols  mean  median  95%
      candidate           6.0       6    6
      reference             -       -    -
      description           -       -    -
      "
    `);
    out.text = "";
    await run(datasetsVerb(), "stats", file, "--json");
    expect(JSON.parse(out.text)).toMatchObject({ rows: 40, counts: { problems: 40 } });
  });

  it("stats prints the paper's tables for folders, a line a set", async () => {
    const out = capture();
    const folder = tempFolder();
    const part = (name: string, count: number): Promise<void> =>
      writeExamples(
        join(folder, name),
        (async function* () {
          yield* rows
            .slice(0, count)
            .map((row) => ({ ...row, n_tests: 100, reference: "x = 1", task_id: `A/${count}` }));
        })(),
      );
    await part("train.arrow", 12);
    await part("test.arrow", 3);
    await run(datasetsVerb(), "stats", folder);
    const [head, first, , , second] = out.text.split("\n");
    expect(head).toMatch(/train +dev +test +NL +RefCode +GenCode +tests \(original\) +NL +RefCode +GenCode$/);
    expect(first?.split(/ {2,}/).slice(1)).toEqual(["12", "-", "3", "1", "1.0", "7.5", "100 (-)", "-", "3.0", "6.0"]);
    expect(second?.split(/ {2,}/).slice(1)).toEqual(["0.5000", "-", "0.5000", "0.3333", "-", "0.3333"]);
    await expect(run(datasetsVerb(), "stats", tempFolder())).rejects.toThrow(
      "expected train.arrow, dev.arrow or test.arrow",
    );
  });

  it("export, merge and decontaminate write what the library writes, and say so", async () => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const file = writeRows(rows, "set.jsonl");
    const folder = tempFolder();
    await run(datasetsVerb(), "export", file, "--output", join(folder, "set.parquet"));
    expect(await all(readExamples(join(folder, "set.parquet")))).toEqual(rows);
    await expect(run(datasetsVerb(), "merge", join(folder, "all.jsonl"), file)).rejects.toThrow(
      "expected its manifest",
    );
    const problem = (task_id: string, name: string) => ({
      task_id,
      description: "",
      entry_point: name,
      references: [`def ${name}(a):\n    b = a + 1\n    return [b, b * a]\n`],
      tests: [],
    });
    const [problems, against] = [
      writeRows([problem("A", "f"), { ...problem("B", "f"), references: ["x = 1"] }]),
      writeRows([problem("H", "g")]),
    ];
    const files = ["--output", join(folder, "clean.jsonl"), "--report", join(folder, "report.jsonl")];
    await run(datasetsVerb(), "decontaminate", "--problems", problems, "--against", against, ...files);
    expect([...(await readProblems([join(folder, "clean.jsonl")])).keys()]).toEqual(["B"]);
    expect(JSON.parse(readFileSync(join(folder, "report.jsonl"), "utf8"))).toEqual({
      task_id: "A",
      why: "same-tree",
      nearest: "H",
      score: 1,
    });
    expect(said.mock.calls.map(([text]) => text).join("")).toMatch(
      /40 rows on 40 problems[\s\S]*1 problem; 1 left out/,
    );
  });

  it("build names the recipes' defaults", () => {
    const build = datasetsVerb().commands.find((command) => command.name() === "build") as Command;
    const tests = (set: string) => recipesOf(set)[0]!.tests;
    expect([tests("mbpp-eval"), tests("apps-eval")]).toEqual([100, 100]);
    expect(helpOf(build, "--tests")).toContain(`default: 100; ${tests("train-mix")} for train-mix`);
  });

  it("split warns of a part that is empty, unless none was asked for", async () => {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const file = writeRows([labelledRow({ task_id: "one" })], "set.jsonl");
    await run(datasetsVerb(), "split", file, "--output", tempFolder(), "--dev", "0");
    const warnings = said.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith("warning"));
    expect(warnings).toEqual([expect.stringContaining("warning: test is empty")]);
  });

  it("split writes what the library writes", async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const file = writeRows(rows, "set.jsonl");
    const [ours, theirs] = [tempFolder(), tempFolder()];
    await run(datasetsVerb(), "split", file, "--output", ours, "--test", "0.3", "--seed", "4");
    await splitFile(file, theirs, { test: 0.3, seed: 4 });
    expect((await all(readExamples(join(ours, "test.arrow")))).length).toBeGreaterThan(0);
    for (const name of ["train.arrow", "dev.arrow", "test.arrow", "test.arrow.manifest.json"]) {
      expect(readFileSync(join(ours, name)).equals(readFileSync(join(theirs, name))), name).toBe(true);
    }
  });
});
