/** Logs of evaluation harnesses in their released formats, with our own problems and answers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readProblems, readSamples, sanitizeRows } from "../../src/problems/index.ts";
import type { Sample } from "../../src/types.ts";
import { all, tempFolder, writeRows } from "./helpers.ts";
import { humanEval } from "./rows.ts";

const whole = `${humanEval.prompt}    return xs + xs\n`;
const body = "    return xs + xs\n";
const other = { ...humanEval, task_id: "HumanEval/901" };
const problemFile = writeRows([humanEval, other]);
const problems = await readProblems([problemFile]);

function write(name: string, value: unknown, indent?: number): string {
  const path = join(tempFolder(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value, null, indent));
  return path;
}

const read = (...paths: string[]): Promise<Sample[]> => all(readSamples(paths, problems));
const shown = (samples: readonly Sample[]) =>
  samples.map(({ taskId, kind, text, madeBy, temperature }) => [taskId, kind, text, madeBy, temperature]);

describe("samples of lm-evaluation-harness", () => {
  const settings = { until: ["\ndef"], do_sample: true, temperature: 0.2 };
  const row = {
    doc_id: 0,
    doc: humanEval,
    target: "",
    arguments: { gen_args_0: { arg_0: humanEval.prompt, arg_1: settings } },
    resps: [[body, "    pass"]],
    filtered_resps: [[whole, `${humanEval.prompt}    pass`]],
    filter: "create_test",
    "pass@1": 1,
  };
  const stamp = "2025-03-02T12-34-56.789";

  it("are the filtered answers of each document, with the model of the results beside them", async () => {
    const path = write(`samples_humaneval_${stamp}.jsonl`, row);
    writeFileSync(join(dirname(path), `results_${stamp}.json`), JSON.stringify({ model_name: "org/model" }));
    expect(shown(await read(path))).toEqual([
      ["HumanEval/900", "program", whole, "org/model", 0.2],
      ["HumanEval/900", "program", `${humanEval.prompt}    pass`, "org/model", 0.2],
    ]);
  });

  it("without results beside them are of an unknown model; greedy is temperature 0; older arguments are a list", async () => {
    const greedy = { ...row, arguments: [[humanEval.prompt, { ...settings, do_sample: false }]] };
    const found = await read(write("samples_humaneval.jsonl", greedy));
    expect(found.map(({ madeBy, temperature }) => [madeBy, temperature])).toEqual([
      ["unknown", 0],
      ["unknown", 0],
    ]);
  });

  it("are taken of one filter, unfiltered where none left any", async () => {
    const lines = [
      { ...row, filtered_resps: [], resps: [[body]] },
      { ...row, filter: "other" },
    ];
    expect(shown(await read(writeRows(lines)))).toEqual([["HumanEval/900", "completion", body, "unknown", 0.2]]);
  });

  it("whose document names no problem are refused", async () => {
    await expect(read(writeRows([{ ...row, doc: { question: "?" } }]))).rejects.toThrow(
      /rows\.jsonl:1: expected `doc` to name its problem in `task_id` or `question_id`; fields there: question$/,
    );
  });
});

describe("generations of bigcode-evaluation-harness", () => {
  it("are lists in the order of the problems; the file's name stands for the model", async () => {
    const path = write("generations_mine.json", [[whole, "x"], [body]]);
    expect(shown(await read(path))).toEqual([
      ["HumanEval/900", "program", whole, "generations_mine", undefined],
      ["HumanEval/900", "program", "x", "generations_mine", undefined],
      ["HumanEval/901", "program", body, "generations_mine", undefined],
    ]);
    expect((await read(path, path)).map(({ sampleId }) => sampleId)).toEqual([
      ...["HumanEval/900#0", "HumanEval/900#1", "HumanEval/901#0"],
      ...["HumanEval/900#2", "HumanEval/900#3", "HumanEval/901#1"],
    ]);
  });

  it.each([
    ["more", [["x"], ["x"], ["x"]], "got 3;"],
    ["fewer", [["x"]], "got 1;"],
  ])("of %s problems are refused", async (_, lists, got) => {
    const path = write("generations.json", lists);
    await expect(read(path)).rejects.toThrow(
      `expected 2 lists of programs, one per problem in the problems' order, ${got}`,
    );
    await expect(read(path, write("generations.json", [["x"], ["y"]]))).rejects.toThrow("expected 2 lists of programs");
  });

  it("name their problems once they are sanitized", async () => {
    const counts = { unchanged: 0, pruned: 0, extracted: 0, cut: 0, unmended: 0, unknown: 0 };
    const path = write("generations.json", [["no program"], [whole]]);
    const rows = await all(sanitizeRows([path], [problemFile], counts));
    expect(rows).toMatchObject([{ task_id: "HumanEval/900" }, { task_id: "HumanEval/901", solution: whole }]);
    expect(counts).toMatchObject({ unmended: 1, unchanged: 1 });
  });

  it.each([
    ["a text", ["x", "y"], "expected a JSON object"],
    ["numbers", [[1], ["x"]], "expected a list of programs, got [1]"],
  ])("with %s in place of a list are refused", async (_, lists, message) => {
    await expect(read(write("generations.json", lists))).rejects.toThrow(message);
  });
});

describe("output of LiveCodeBench", () => {
  const rows = [
    {
      question_title: "Twice",
      question_id: "HumanEval/900",
      output_list: ["Here: ..."],
      code_list: [whole, ""],
      graded_list: [true, false],
    },
  ];

  it("has the programs of `code_list`; model and temperature are in its path", async () => {
    const path = write("Some-Model/codegeneration_10_0.2_eval_all.json", rows, 4);
    expect(shown(await read(path))).toEqual([
      ["HumanEval/900", "program", whole, "Some-Model", 0.2],
      ["HumanEval/900", "program", "", "Some-Model", 0.2],
    ]);
  });
});

describe("logs of inspect_ai", () => {
  const sample = (id: string, content: unknown, more: object = {}) => ({
    id,
    epoch: 1,
    input: "...",
    output: { model: "m", choices: [{ message: { role: "assistant", content }, stop_reason: "stop" }] },
    ...more,
  });
  const log = {
    version: 2,
    status: "success",
    eval: { task: "humaneval", model: "openai/gpt-4o" },
    plan: { config: { temperature: 0.5 } },
    samples: [
      sample("HumanEval/900", whole),
      sample("HumanEval/901", [
        { type: "reasoning", reasoning: "hm" },
        { type: "text", text: body },
      ]),
      sample("HumanEval/901", "attachment://a1", { attachments: { a1: whole } }),
      { id: "HumanEval/901", epoch: 2, output: { choices: [] }, error: { message: "overloaded" } },
    ],
  };

  it.each([undefined, 2])("in JSON have the answer of each sample, indented by %s or not", async (indent) => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const path = write("log.json", log, indent);
    expect(shown(await read(path))).toEqual([
      ["HumanEval/900", "program", whole, "openai/gpt-4o", 0.5],
      ["HumanEval/901", "completion", body, "openai/gpt-4o", 0.5],
      ["HumanEval/901", "program", whole, "openai/gpt-4o", 0.5],
      ["HumanEval/901", "completion", "", "openai/gpt-4o", 0.5],
    ]);
    await read(path);
    const failed = `1 of 4 samples failed before an answer, and count as empty programs (the first: "HumanEval/901", overloaded)`;
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(`^${path}(:1)?: ${failed.replace(/[()]/g, "\\$&")}`),
    ]);
  });

  it("without samples, or not in JSON, are refused with what to do", async () => {
    await expect(read(write("log.json", { ...log, samples: null }))).rejects.toThrow(
      'got one without (status "success"); `inspect log convert --to json` writes them',
    );
    await expect(read(write("log.eval", "PK"))).rejects.toThrow("`inspect log convert");
  });
});

describe("plain rows", () => {
  it("may have `generation` or `generations`: programs where they define the function, else completions", async () => {
    const rows = [
      { task_id: "HumanEval/900", generation: whole, model: "m", temperature: 0.8 },
      { task_id: "HumanEval/900", generation: body },
      { task_id: "HumanEval/901", generations: [whole, body], model: "m" },
      { task_id: "HumanEval/901", predict: [whole] },
    ];
    expect(shown(await read(writeRows(rows)))).toEqual([
      ["HumanEval/900", "program", whole, "m", 0.8],
      ["HumanEval/900", "completion", body, "unknown", undefined],
      ["HumanEval/901", "program", whole, "m", undefined],
      ["HumanEval/901", "completion", body, "m", undefined],
      ["HumanEval/901", "program", whole, "unknown", undefined],
    ]);
  });

  it("may have `generation` beside `completion`: a whole program wins, a continuation does not", async () => {
    const rows = [
      { task_id: "HumanEval/900", completion: "    return 1\n", generation: whole },
      { task_id: "HumanEval/900", completion: "    return 1\n", generation: body },
      { task_id: "HumanEval/900", completion: "", generation: body },
      { task_id: "HumanEval/900", solution: whole, generation: body },
    ];
    expect(shown(await read(writeRows(rows))).map((sample) => sample.slice(1, 3))).toEqual([
      ["program", whole],
      ["completion", "    return 1\n"],
      ["completion", body],
      ["program", whole],
    ]);
  });
});

it("DS-1000's answers name their task in `metadata`", async () => {
  const [sample] = await read(writeRows([{ id: 0, code: "result = 1", metadata: { problem_id: 900 } }]));
  expect(sample).toMatchObject({ taskId: "HumanEval/900", text: "result = 1" });
});

describe("EvalPlus' runs", () => {
  it("are folders named after model and temperature, files too", async () => {
    const folder = tempFolder();
    for (const [run, text] of [
      ["org--big_vllm_temp_0.8", "a"],
      ["small_temp_0.0", "b"],
    ] as const) {
      mkdirSync(join(folder, run, "HumanEval_900"), { recursive: true });
      writeFileSync(join(folder, run, "HumanEval_900", "0.py"), text);
      writeFileSync(join(folder, run, "eval_results.json"), "{}");
    }
    const line = JSON.stringify({ task_id: "HumanEval/901", solution: "c" });
    writeFileSync(join(folder, "x--y_hf_temp_0.2-sanitized.jsonl"), line);
    const ofRuns = [
      ["HumanEval/900", "program", "a", "org/big", 0.8],
      ["HumanEval/900", "program", "b", "small", 0],
      ["HumanEval/901", "program", "c", "x/y", 0.2],
    ];
    expect(shown(await read(folder))).toEqual(ofRuns);
    const results = { eval: { "HumanEval/901": [{ solution: "d", base_status: "pass" }] } };
    writeFileSync(join(folder, "small_temp_0.0", "eval_results.json"), JSON.stringify(results));
    expect(shown(await read(join(folder, "small_temp_0.0", "eval_results.json")))).toEqual([
      ["HumanEval/901", "program", "d", "small", 0],
    ]);
  });

  it("leave the model that a row names", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "x_temp_0.2.jsonl"), JSON.stringify({ task_id: "HumanEval/900", code: "", model: "y" }));
    expect(shown(await read(folder))).toEqual([["HumanEval/900", "program", "", "y", undefined]]);
  });
});
