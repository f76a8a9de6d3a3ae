import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRule, rule } from "../../src/metrics/rule.ts";
import { CodeScorer, toScoreRow } from "../../src/score/index.ts";
import { findOnnx } from "../../src/score/model.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { packageRoot } from "../../src/util/files.ts";
import { Random } from "../../src/util/random.ts";
import { makeModel } from "./model.ts";

let folder: string;
let scorer: CodeScorer;

beforeAll(async () => {
  folder = await makeModel();
  scorer = await CodeScorer.load(folder, { threads: 1 });
});

afterAll(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

function rows(count: number): ScoreInput[] {
  const random = new Random(5);
  const program = (): string =>
    `def f(a, b):\n${Array.from({ length: random.int(1, 25) }, () => `    a = a ${random.pick(["+", "-", "*"])} ${random.int(0, 9)}\n`).join("")}    return a\n`;
  return Array.from({ length: count }, () => ({
    candidate: program(),
    reference: random.chance(0.8) ? program() : null,
    description: "Change a.",
  }));
}

describe("CodeScorer", () => {
  it("gives a row the same score whatever its batch-mates, their order and the padding", async () => {
    const inputs = rows(64);
    const alone: Score[] = [];
    for (const input of inputs) alone.push((await scorer.scoreAll([input]))[0] as Score);
    expect(new Set(alone.map(({ score }) => score.toFixed(5))).size).toBeGreaterThan(32); // the rows differ
    for (const batchTokens of [300, 2000, 100_000]) {
      const other = await CodeScorer.load(folder, { threads: 1, batchTokens });
      const order = new Random(batchTokens).shuffle(inputs.map((_, i) => i));
      const together = (await other.scoreAll(order.map((i) => inputs[i]!))) as Score[];
      for (const [at, i] of order.entries()) {
        expect(Math.abs(together[at]!.score - alone[i]!.score)).toBeLessThan(1e-6);
        expect(Math.abs(together[at]!.exec - alone[i]!.exec)).toBeLessThan(1e-6);
      }
      await other.close();
    }
  });

  it("gives a row the same score in batches of 1 to 64", async () => {
    const inputs = rows(64);
    const whole = await CodeScorer.load(folder, { threads: 1, batchTokens: 1_000_000 });
    const alone = (await scorer.scoreAll(inputs)) as Score[];
    for (const size of [1, 2, 3, 7, 16, 33, 64]) {
      for (let from = 0; from < inputs.length; from += size) {
        const batch = (await whole.scoreAll(inputs.slice(from, from + size))) as Score[];
        for (const [i, { score, exec }] of batch.entries()) {
          expect(Math.abs(score - alone[from + i]!.score)).toBeLessThan(1e-6);
          expect(Math.abs(exec - alone[from + i]!.exec)).toBeLessThan(1e-6);
        }
      }
    }
    await whole.close();
  });

  it("scores a stream in order", async () => {
    const inputs = rows(20).map((row, id) => ({ ...row, id }));
    const whole = (await scorer.scoreAll(inputs)) as Score[];
    const ids: number[] = [];
    for await (const { row, result } of scorer.score(inputs)) {
      expect((result as Score).score).toBeCloseTo(whole[row.id]!.score, 6);
      ids.push(row.id);
    }
    expect(ids).toEqual(inputs.map(({ id }) => id));
  });

  it("takes rows only as scores are taken, and ends the source when its consumer stops", async () => {
    const row: ScoreInput = { candidate: "x = 1", reference: "x = 2" };
    let given = 0;
    let ended = false;
    async function* source(): AsyncGenerator<ScoreInput> {
      try {
        for (;;) {
          given += 1;
          yield row;
        }
      } finally {
        ended = true;
      }
    }
    let taken = 0;
    for await (const { result } of scorer.score(source())) {
      expect(result).toHaveProperty("score");
      taken += 1;
      expect(given - taken).toBeLessThanOrEqual(2 * 256);
      if (taken === 600) break;
    }
    expect(ended).toBe(true);
    const then = given;
    await setTimeout(50);
    expect(given).toBe(then);
    expect((await scorer.scoreAll([row]))[0]).toHaveProperty("score"); // what was abandoned is in nobody's way
  });

  it("answers what has come before it asks a source that pauses again", async () => {
    const answered: number[] = [];
    async function* source(): AsyncGenerator<ScoreInput & { id: number }> {
      for (let id = 0; id < 3; id++) {
        while (answered.length < id) await setTimeout(10); // asks for the next after the answer to the last
        yield { id, candidate: "x = 1", reference: "x = 2" };
      }
    }
    for await (const { row } of scorer.score(source())) answered.push(row.id);
    expect(answered).toEqual([0, 1, 2]);
  });

  it("passes on what the source throws", async () => {
    function* source(): Generator<ScoreInput> {
      yield { candidate: "x = 1", reference: "x = 2" };
      throw new Error("torn");
    }
    await expect(scorer.scoreAll(source() as unknown as ScoreInput[])).rejects.toThrow("torn");
  });

  it("answers concurrent calls, each with its own rows, and lets others run meanwhile", async () => {
    const inputs = rows(48);
    const expected = (await scorer.scoreAll(inputs)) as Score[];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const calls = await Promise.all(inputs.map((input) => scorer.scoreAll([input, inputs[0]!])));
    clearInterval(timer);
    for (const [i, [own, first]] of calls.entries()) {
      expect((own as Score).score).toBeCloseTo(expected[i]!.score, 6);
      expect((first as Score).score).toBeCloseTo(expected[0]!.score, 6);
    }
    expect(turns).toBeGreaterThan(5);
  });

  it("is closed once: later calls and those under way are refused, a second close does nothing", async () => {
    const other = await CodeScorer.load(folder, { threads: 1 });
    const under = other.scoreAll(rows(400)).catch((error: unknown) => error);
    await setTimeout(20);
    await Promise.all([other.close(), other.close()]);
    await other.close();
    const closed = { code: "usage", message: expect.stringMatching(/is closed/) };
    expect(await under).toMatchObject(closed);
    await expect(other.scoreAll(rows(1))).rejects.toMatchObject(closed);
    await expect(other.similarity().compare([{ candidate: "x", reference: "y" }])).rejects.toMatchObject(closed);
  });

  it("yields an error in the place of a row that cannot be scored, and scores the rest", async () => {
    const good: ScoreInput = { candidate: "x = 1", reference: "x = 2" };
    const bad = [
      { candidate: "x = 1" },
      { candidate: "  \n", reference: "y" },
      { candidate: 5, reference: "y" },
      { reference: "y" },
      { candidate: "x", reference: ["y"] },
      { candidate: "x", description: { a: 1 } },
    ] as unknown as ScoreInput[];
    const results = await scorer.scoreAll([good, ...bad, good]);
    for (const result of results.slice(1, -1)) expect(result).toHaveProperty("error.message");
    expect(results[0]).toEqual(results.at(-1));
  });

  it.each(["\u0000", "\ud800", "\u{1f600}", "def f(:\n  retur", "x".repeat(100_000), "</s>", "\t\r\n x"])(
    "scores odd text %#",
    async (candidate) => {
      const [result] = await scorer.scoreAll([{ candidate, reference: "x = 1" }]);
      expect((result as Score).score).toBeGreaterThanOrEqual(0);
      expect((result as Score).score).toBeLessThanOrEqual(1);
    },
  );

  it("says what was cut", async () => {
    const [long, short] = (await scorer.scoreAll([
      { candidate: "a = 1\n".repeat(500), reference: "x = 1", description: "d" },
      { candidate: "a = 1\n", reference: "x = 1" },
    ])) as Score[];
    expect(long!.cut!.candidate).toBeGreaterThan(100);
    expect(long!.cut!.reference).toBe(0);
    expect(short!.cut).toBeUndefined();
  });

  it("takes the format asked for and refuses what a row cannot give", async () => {
    const all: ScoreInput = { candidate: "x = 1", reference: "x = 2", description: "d" };
    for (const format of ["ref", "nl", "ref+nl"] as const) {
      expect((await scorer.scoreAll([all], { format }))[0]).toMatchObject({
        format,
        signature: scorer.signatureOf(format),
      });
    }
    expect((await scorer.scoreAll([{ candidate: "x", reference: "y" }], { format: "nl" }))[0]).toHaveProperty(
      "error.message",
      "the format nl needs a description, got none",
    );
  });

  it("joins the network's score with the rule's where the model asks for it, for rows with a reference", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-ruled-"));
    await cp(folder, copy, { recursive: true });
    const config = JSON.parse(await readFile(join(copy, "config.json"), "utf8"));
    config.codescore.rule = 0.25;
    await writeFile(join(copy, "config.json"), JSON.stringify(config));
    const ruled = await CodeScorer.load(copy);
    const network = await CodeScorer.load(folder);
    const reference = "def f(xs):\n    return [x + 1 for x in xs]\n";
    const inputs = [
      {
        candidate: "def f(ys):\n    out = []\n    for y in ys:\n        out.append(y + 1)\n    return out\n",
        reference,
      },
      { candidate: "def f(xs):\n    return missing\n", reference, description: "Adds one." },
      { candidate: "def f(xs):\n    return xs\n", description: "Adds one." },
    ];
    const [ours, theirs] = [await ruled.scoreAll(inputs), await network.scoreAll(inputs)] as [Score[], Score[]];
    await loadRule();
    const rules = inputs.map(({ candidate, reference }) =>
      reference === undefined ? null : rule(candidate, reference),
    );
    expect(rules[0]).toBeGreaterThan(0.9); // their canonical forms are one
    expect(rules[1]).toBe(0);
    for (const [i, value] of rules.entries()) {
      const wanted = value === null ? theirs[i]!.score : 0.75 * theirs[i]!.score + 0.25 * value;
      expect(ours[i]!.score).toBeCloseTo(wanted, 9);
      expect(ours[i]!.exec).toBe(theirs[i]!.exec);
      expect(ours[i]!.signature.includes("|rule:0.25")).toBe(value !== null);
    }
    await Promise.all([ruled.close(), network.close(), rm(copy, { recursive: true })]);
  });

  it("is a similarity", async () => {
    const [row] = rows(1);
    const [result] = (await scorer.scoreAll([row!])) as Score[];
    expect(await scorer.similarity().compare([{ ...row!, reference: row!.reference ?? "" }])).toEqual([result!.score]);
  });
});

describe("CodeScorer.load", () => {
  it("takes the precision asked for; on a CPU int8 before fp32 before fp16", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-precision-"));
    await cp(folder, copy, { recursive: true });
    const onnx = (name: string): string => join(copy, "onnx", name);
    for (const other of ["model_fp16.onnx", "model_quantized.onnx"]) await rm(onnx(other), { force: true });
    expect(await findOnnx(copy)).toBe(onnx("model.onnx"));
    await expect(findOnnx(copy, "fp16")).rejects.toThrow(/no onnx.model_fp16\.onnx; make it with `codescore export/);
    await cp(onnx("model.onnx"), onnx("model_fp16.onnx"));
    expect(await findOnnx(copy)).toBe(onnx("model.onnx"));
    await cp(onnx("model.onnx"), onnx("model_quantized.onnx"));
    expect(await findOnnx(copy)).toBe(onnx("model_quantized.onnx"));
    expect(await findOnnx(copy, "auto", "cuda")).toBe(onnx("model.onnx"));
    expect(await findOnnx(copy, "fp32")).toBe(onnx("model.onnx"));
    await rm(copy, { recursive: true });
  });

  it("says that the model small is not shipped yet", async () => {
    await expect(CodeScorer.load("small")).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching("the model small is not shipped with this version; give the folder of one"),
    });
  });

  it("takes the shipped model by name or where none is named, and it tells right from wrong", async () => {
    const right = "def add(a, b):\n    return a + b\n";
    for (const named of [undefined, "tiny"]) {
      const scorer = await CodeScorer.load(named);
      expect(scorer.folder).toMatch(/models.codescore-tiny$/);
      const rows = [
        "def add(x, y):\n    return y + x\n",
        "def add(a, b):\n    return c\n",
        "def sub(a, b):\n    return a\n",
      ];
      const results = await scorer.scoreAll(rows.map((candidate) => ({ candidate, reference: right })));
      await scorer.close();
      const [same, undefinedName, otherName] = results.map((result) => ("score" in result ? result.score : Number.NaN));
      expect(same).toBeGreaterThan(0.6);
      expect(undefinedName).toBeLessThan(0.3);
      expect(otherName).toBeLessThan(0.3);
    }
  });

  it.each([
    ["tpu", /has no device `tpu` on this machine; it has cpu/],
    ["cuda", /the device `cuda`.*(CUDA 12|it has cpu)/],
  ])("says what the device %s needs", async (device, message) => {
    await expect(CodeScorer.load(folder, { device })).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(message),
    });
  });

  it("keeps no process alive that forgets to close, whatever flags Node was started with", async () => {
    const index = join(packageRoot, "dist", "score", "index.js");
    const program = `
      const { CodeScorer } = await import(${JSON.stringify(pathToFileURL(index).href)});
      const scorer = await CodeScorer.load(${JSON.stringify(folder)}, { threads: 1 });
      const [{ score }] = await scorer.scoreAll([{ candidate: "x = 1", reference: "x = 2" }]);
      console.log(score > 0 && score < 1);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    expect(stdout).toBe("true\n");
  });
});

describe("toScoreRow", () => {
  const prompt = 'def add(a, b):\n    """Adds."""\n';
  it.each([
    [
      "an index for a missing id",
      { candidate: "x", reference: "y" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "CodeScore's own names",
      { generated_code: "x", golden_code: "y", source: "z" },
      { id: 7, candidate: "x", reference: "y", description: "z" },
    ],
    [
      "a data set's name, which is no description",
      { candidate: "x", reference: "y", source: "mbpp" },
      { id: 7, candidate: "x", reference: "y", description: null },
    ],
    [
      "a body that continues the prompt",
      { prompt, candidate: "    return a\n", reference: "    return b\n" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: `${prompt}    return b\n`, description: null },
    ],
    [
      "an empty reference beside a prompt as none",
      { prompt, candidate: "    return a\n", reference: "" },
      { id: 7, candidate: `${prompt}    return a\n`, reference: null, description: null },
    ],
    [
      "an id of any type as it came",
      { id: true, candidate: "x" },
      { id: true, candidate: "x", reference: null, description: null },
    ],
    [
      "a whole program beside a prompt",
      { id: "q", prompt, candidate: "import re\ndef add(a, b):\n    return a\n" },
      { id: "q", candidate: "import re\ndef add(a, b):\n    return a\n", reference: null, description: null },
    ],
  ])("takes %s", (_, value, expected) => {
    expect(toScoreRow({ value, where: "x:1" }, 7)).toEqual(expected);
  });
});
