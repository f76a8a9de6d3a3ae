/** Commands that run programs, where the sandbox or the Python that the user names is not there. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { codescoreHere } from "./run.ts";

const REFERENCE = "def f(a, b):\n    return a + b\n";
const ROW = { task_id: "t/1", sample_id: "a", candidate: REFERENCE, reference: REFERENCE, description: "Adds." };
const LABELS = { pass_ratio: 1, executable: 1 };
const TRIP = { kind: "round_trip", forward: 0, sims: { codescore: 1, pass: null }, ...ROW, sample: 0 };
const PROBLEM = {
  task_id: "t/1",
  prompt: "",
  canonical_solution: REFERENCE,
  entry_point: "f",
  test: "assert f(1, 2) == 3",
};
const jsonl = (row: object): string => `${JSON.stringify(row)}\n`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-named-"));
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  await put("rows.jsonl", jsonl(ROW));
  await put("labelled.jsonl", jsonl({ ...ROW, ...LABELS }));
  await put("samples.jsonl", jsonl(TRIP));
  await put("problems.jsonl", jsonl(PROBLEM));
  await put("none.jsonl", "");
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const score = "score --model tiny --run --fail-on fails --input rows.jsonl";

describe("a sandbox or Python that the user names and that is not there", () => {
  it.each([
    ["score", score],
    ["score --stdio", "score --model tiny --run --stdio"],
    ["evaluate", "evaluate --data labelled.jsonl --no-model --metrics behaviour"],
    [
      "rtc",
      "rtc synthesis --problems problems.jsonl --forward replay:none.jsonl --output out --model tiny --sims behaviour",
    ],
    ["estimate", "estimate --rtc . --problems problems.jsonl --budget 1"],
  ])("makes %s fail and say what to do", async (_, line) => {
    vi.stubEnv("PATH", "/nowhere");
    const { code, stdout, stderr } = await codescoreHere([...line.split(" "), "--sandbox", "bwrap"], { cwd: folder });
    vi.unstubAllEnvs();
    expect([code, stdout], stderr).toEqual([1, ""]);
    expect(stderr).toMatch(/the sandbox that was asked for does not work here\. bwrap: .*--sandbox auto/);
  });

  // The other input does not exist either. The error names the Python, so nothing was read or run before.
  it.each([
    ["score", score],
    ["score without a sandbox", `${score} --sandbox none --allow-unsafe`],
    ["score in WebAssembly", `${score} --sandbox wasm`],
    ["score --stdio", "score --model tiny --run --stdio"],
    ["label", "label --problems no.jsonl --samples no.jsonl --output no.arrow"],
    ["expand", "expand --problems no.jsonl --count 2 --output no.jsonl"],
    ["evaluate", "evaluate --data no.jsonl --no-model --metrics behaviour"],
    ["compare", "compare --data no.jsonl --metrics rule,behaviour"],
    ["robustness", "robustness --problems no.jsonl --metrics rule"],
    ["datasets build", "datasets build he-eval --data no --output no"],
    ["serve", "serve --run"],
    ["rtc of a notebook", "rtc synthesis --notebook no.ipynb --forward replay:no --output no --sims rouge-l"],
  ])("is refused as a Python too: %s", async (_, line) => {
    const args = [...line.split(" "), "--python", "no/bin/python"];
    const { code, stdout, stderr } = await codescoreHere(args, { cwd: folder });
    expect([code, stdout], stderr).toEqual([2, ""]);
    expect(stderr).toContain("expected --python (python) to be a Python");
  });
});
