/** The three forms of an exported model: properties that all of them share, in ONNX Runtime and with ONNX's checker. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMS, type Form } from "../../src/export/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { Random } from "../../src/util/random.ts";
import { makeFolder, SHAPES, type Shape } from "./folder.ts";

const python = process.env.CODESCORE_PYTHON ?? "python3";
const has = (...modules: string[]): boolean =>
  spawnSync(python, ["-c", modules.map((name) => `import ${name}`).join("\n")]).status === 0;

const forms = Object.keys(FORMS) as Form[];
const folders = {} as Record<Shape, string>;

/** One thread, because several would spin while they wait, and the models are small. */
const ALONE = { intraOpNumThreads: 1, logSeverityLevel: 3 } as const;

/** Sequences of three parts in which most tokens of the candidate recur in the reference. */
const sequences = Array.from({ length: 32 }, (_, i) => {
  const random = new Random(100 + i);
  const part = Array.from({ length: random.int(2, 60) }, () => random.int(5, 260));
  const other = part.map((id) => (random.float() < 0.2 ? random.int(5, 260) : id));
  return [0, ...part, 2, ...other, 2, ...part.slice(0, random.int(0, 9)).reverse(), 2];
});

/** [score, exec] of sequences in the given order, run in batches of `size` with `padding` more tokens than needed. */
async function run(session: InferenceSession, rows: readonly number[][], size: number, padding: number) {
  const results: number[][] = [];
  for (let from = 0; from < rows.length; from += size) {
    const batch = rows.slice(from, from + size);
    const length = Math.max(...batch.map((row) => row.length)) + padding;
    const tensor = (value: (row: number[], k: number) => number) =>
      new Tensor(
        "int64",
        BigInt64Array.from(batch.flatMap((row) => Array.from({ length }, (_, k) => BigInt(value(row, k))))),
        [batch.length, length],
      );
    const { score, exec } = await session.run({
      input_ids: tensor((row, k) => row[k] ?? 1),
      attention_mask: tensor((row, k) => Number(k < row.length)),
    });
    batch.forEach((_, i) => {
      results.push([Number(score!.data[i]), Number(exec!.data[i])]);
    });
  }
  return results;
}

const furthest = (a: number[][], b: number[][]): number =>
  Math.max(...a.flatMap((row, i) => row.map((value, k) => Math.abs(value - b[i]![k]!))));

beforeAll(async () => {
  for (const shape of Object.keys(SHAPES) as Shape[]) folders[shape] = await makeFolder(shape);
});

afterAll(async () => {
  for (const folder of Object.values(folders)) await rm(folder, { recursive: true });
});

describe.each(Object.keys(SHAPES) as Shape[])("a %s model's", (shape) => {
  it.each(forms)("%s gives a row one score, whatever it is batched with", async (form) => {
    const session = await InferenceSession.create(join(folders[shape], "onnx", FORMS[form]), ALONE);
    const alone = await run(session, sequences, 1, 0);
    expect(new Set(alone.map(([score]) => score!.toFixed(5))).size).toBeGreaterThan(20);
    const order = new Random(5).shuffle(sequences.map((_, i) => i));
    for (const [size, padding] of [
      [1, 13],
      [2, 0],
      [7, 1],
      [16, 40],
      [32, 0],
      [32, 77],
    ] as const) {
      const shuffled = await run(
        session,
        order.map((i) => sequences[i]!),
        size,
        padding,
      );
      expect(
        furthest(
          shuffled,
          order.map((i) => alone[i]!),
        ),
        `${size} rows, ${padding} more`,
      ).toBeLessThan(1e-6);
    }
    await session.release();
  });

  it("fp16 and int8 scores are near fp32's, and their files smaller", async () => {
    const scores = await Promise.all(
      forms.map(async (form) => {
        const session = await InferenceSession.create(join(folders[shape], "onnx", FORMS[form]), ALONE);
        return run(session, sequences, 8, 0);
      }),
    );
    expect(furthest(scores[0]!, scores[1]!)).toBeLessThan(1e-3);
    expect(furthest(scores[0]!, scores[2]!)).toBeLessThan(3e-2);
    expect(furthest(scores[0]!, scores[2]!)).toBeGreaterThan(0);
    const sizes = await Promise.all(
      forms.map(async (form) => (await readFile(join(folders[shape], "onnx", FORMS[form]))).length),
    );
    expect(sizes[1]! / sizes[0]!).toBeLessThan(0.6);
    expect(sizes[2]! / sizes[0]!).toBeLessThan(0.4);
  });

  it.skipIf(!has("onnx"))("forms are accepted by onnx's checker (needs Python with onnx)", () => {
    const paths = forms.map((form) => join(folders[shape], "onnx", FORMS[form]));
    const check = `
import json, onnx, sys
kinds = []
for path in sys.argv[1:]:
    onnx.checker.check_model(path, full_check=True)
    model = onnx.load(path)
    big = [t for t in model.graph.initializer if onnx.numpy_helper.to_array(t).size >= 300]
    kinds.append(sorted({onnx.TensorProto.DataType.Name(t.data_type) for t in big}))
print(json.dumps(kinds))`;
    const kinds = JSON.parse(execFileSync(python, ["-c", check, ...paths], { encoding: "utf8" }));
    expect(kinds).toEqual([["FLOAT"], ["FLOAT16"], expect.arrayContaining(["INT8"])]);
  });
});

describe("the Python example", () => {
  it.skipIf(!has("tokenizers", "onnxruntime"))(
    "gives the score that codescore gives (needs Python with tokenizers and onnxruntime)",
    async () => {
      const folder = folders.narrow;
      const files = ["candidate.py", "reference.py"].map((name) => join(folder, name));
      await writeFile(files[0]!, "def f(x):\n    # twice\n    return x + x\n");
      await writeFile(
        files[1]!,
        `def f(x):\n    return 2 * x\n${"\n\ndef g(y):\n    return [y, y + 1, y * 2]\n".repeat(30)}`,
      );
      const example = fileURLToPath(new URL("../../examples/python/score.py", import.meta.url));
      const [candidate, reference] = await Promise.all(files.map((file) => readFile(file, "utf8")));
      for (const precision of forms) {
        const scorer = await CodeScorer.load(folder, { precision, threads: 1 });
        const [result] = await scorer.scoreAll([{ candidate: candidate!, reference: reference! }]);
        await scorer.close();
        const printed = execFileSync(python, [example, folder, ...files, FORMS[precision]], { encoding: "utf8" });
        const [score, exec] = [...printed.matchAll(/\d\.\d+/g)].map(Number);
        expect(result).toMatchObject({ score: expect.closeTo(score!, 5), exec: expect.closeTo(exec!, 5) });
        expect(result).toHaveProperty("cut.reference"); // the budget is divided in the same way
      }
    },
  );
});
