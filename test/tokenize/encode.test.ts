import { Tokenizer as HubTokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  batchByLength,
  formatOf,
  makeEncoder,
  type Normalise,
  padRows,
  shareBudget,
  Tokenizer,
  trainBpe,
} from "../../src/tokenize/index.ts";

const texts = ["def add(a, b):\n    return a + b\n", "def mul(a, b):\n    return a * b\n", "Add two numbers."];
const tokenizer = new Tokenizer(trainBpe(texts, { vocabSize: 300 }));
const options = { maxLength: 60, normalise: "none", emptyParts: "keep", staticMarks: false } as const;

describe("makeEncoder", () => {
  const loop = "def f(xs):\n    out = []\n    for x in xs:\n        out.append(x + 1)\n    return out\n";
  const comprehension = "def f(ys):\n    return [y + 1 for y in ys]\n";
  const ids = async (candidate: string, normalise: Normalise): Promise<number[]> =>
    (await makeEncoder(tokenizer, { ...options, maxLength: 400, normalise }))({ candidate, description: "" }, "nl").ids;

  it("reads programs of one canonical form as the same tokens, where it is told to", async () => {
    expect(await ids(loop, "canonical")).toEqual(await ids(comprehension, "canonical"));
    expect(await ids(loop, "names")).not.toEqual(await ids(comprehension, "names"));
  });
});

describe("trainBpe", () => {
  it("merges the most frequent pair first, ties by the smaller ids, as Python's tokenizers", () => {
    const { model } = trainBpe(["ab ab ab b"], { vocabSize: 263 });
    expect(model.merges).toEqual([
      ["a", "b"],
      ["Ġ", "ab"],
    ]);
  });

  it("stops where no pair recurs", () => {
    expect(trainBpe(["xyz"], { vocabSize: 5000 }).model.merges).toEqual([]);
  });

  it("gives ids that decode to the text, whatever the text", () => {
    const bytes = new Map(
      [...Object.entries(trainBpe([], { vocabSize: 261 }).model.vocab)].map(([token, id]) => [id, token]),
    );
    const plain = new Tokenizer(trainBpe([], { vocabSize: 261 }));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const ids = plain.encode(text);
        expect(ids.length).toBe(new TextEncoder().encode(text.toWellFormed()).length); // one token per byte
        expect(ids.every((id) => bytes.has(id))).toBe(true);
      }),
    );
  });
});

describe("makeEncoder", () => {
  const [start, end] = [tokenizer.special("<s>"), tokenizer.special("</s>")];
  const row = { candidate: texts[0]!, reference: texts[1]!, description: texts[2]! };
  const parts = [row.candidate, row.reference, row.description].map((text) => tokenizer.encode(text));

  it.each([
    ["ref", [start, ...parts[0]!, end, ...parts[1]!, end]],
    ["ref+nl", [start, ...parts[0]!, end, ...parts[1]!, end, ...parts[2]!, end]],
    ["nl", [start, ...parts[0]!, end, end, ...parts[2]!, end]],
  ] as const)("joins the parts of %s", async (format, ids) => {
    const encode = await makeEncoder(tokenizer, { ...options, maxLength: 500 });
    expect(encode(row, format).ids).toEqual(ids);
  });

  it("omits an empty reference where the model was made so", async () => {
    const encode = await makeEncoder(tokenizer, { ...options, maxLength: 500, emptyParts: "omit" });
    expect(encode(row, "nl").ids).toEqual([start, ...parts[0]!, end, ...parts[2]!, end]);
  });

  it("keeps the description when the programs are too long, and says what it cut", async () => {
    const long = { ...row, candidate: row.candidate.repeat(20), reference: row.reference.repeat(20) };
    const { ids, cut } = (await makeEncoder(tokenizer, options))(long, "ref+nl");
    expect(ids.length).toBe(60);
    expect(ids.slice(-1 - parts[2]!.length, -1)).toEqual(parts[2]);
    expect(cut.description).toBe(0);
    const kept = [long.candidate, long.reference].map((text) => tokenizer.encode(text).length);
    kept[0]! -= cut.candidate;
    kept[1]! -= cut.reference;
    expect(kept[0]! + kept[1]! + parts[2]!.length + 4).toBe(60);
    expect(Math.abs(kept[0]! - kept[1]!)).toBeLessThanOrEqual(1);
  });

  it("counts a cut also where both programs are the same text", async () => {
    const same = "x = 1\n".repeat(60);
    const { cut } = (await makeEncoder(tokenizer, options))({ candidate: same, reference: same }, "ref");
    expect(cut.candidate).toBeGreaterThan(0);
    expect(Math.abs(cut.candidate - cut.reference)).toBeLessThanOrEqual(1);
  });
});

describe("Tokenizer", () => {
  const file = trainBpe(texts, { vocabSize: 300 });

  it("gives the ids of the package that it is built on, word by word", () => {
    const whole = new HubTokenizer({ ...file, added_tokens: [] }, {});
    const pieces = fc.constantFrom(
      "def",
      "'s",
      "'",
      "''",
      "  ",
      "\n",
      "\t",
      "a1",
      "é",
      "变",
      "🎉",
      "<s>",
      "\u00a0",
      "(",
    );
    const anything = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(pieces).map((words) => words.join("")),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { ids } = whole.encode(text.toWellFormed(), { add_special_tokens: false });
        expect(tokenizer.encode(text)).toEqual(ids);
        expect(tokenizer.encode(text)).toEqual(ids); // from its cache
      }),
      { numRuns: 500 },
    );
  });

  it("leaves texts whole where the file asks for more than words", () => {
    const prefixed = { ...file, pre_tokenizer: { type: "ByteLevel", add_prefix_space: true, use_regex: true } };
    expect(new Tokenizer(prefixed).encode("add")).toEqual(tokenizer.encode(" add"));
  });
});

describe("shareBudget", () => {
  it("never exceeds the budget, keeps all when all fits, and cuts only the longest", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }), fc.nat(600), (lengths, budget) => {
        const kept = shareBudget(lengths, budget);
        const total = lengths.reduce((a, b) => a + b, 0);
        expect(kept.reduce((a, b) => a + b, 0)).toBe(Math.min(total, budget));
        const smallestCut = Math.min(...kept.filter((n, i) => n < lengths[i]!));
        for (const [i, n] of kept.entries()) if (n === lengths[i]) expect(n).toBeLessThanOrEqual(smallestCut + 1);
      }),
    );
  });
});

describe("formatOf", () => {
  it.each([
    [{ candidate: "x", reference: "y", description: "z" }, "ref+nl"],
    [{ candidate: "x", reference: "y" }, "ref"],
    [{ candidate: "x", reference: " ", description: "z" }, "nl"],
  ])("%j is %s", (row, format) => {
    expect(formatOf(row)).toBe(format);
  });

  it("refuses a row with nothing to compare with", () => {
    expect(() => formatOf({ candidate: "x" })).toThrow(/expected a reference or a description/);
  });
});

describe("batchByLength", () => {
  it("holds every row once, shortest first, within the budget", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (lengths) => {
        const batches = batchByLength(lengths, 100);
        expect(batches.flatMap(({ rows }) => rows).sort((a, b) => a - b)).toEqual(lengths.map((_, i) => i));
        for (const { rows, length } of batches) {
          expect(length).toBe(Math.max(...rows.map((row) => lengths[row]!)));
          if (rows.length > 1) expect(rows.length * length).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it("pads each row to the batch's length", () => {
    expect([...padRows([[5, 6], [7]], { rows: [1, 0], length: 2 }, 1)]).toEqual([7, 1, 5, 6]);
  });
});
