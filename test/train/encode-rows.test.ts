/** Rows encoded in several threads, compared with the same encoder in this one. */
import { expect, it } from "vitest";
import { readConfig } from "../../src/model/index.ts";
import { loadTokenizer } from "../../src/tokenize/index.ts";
import { encodeRows } from "../../src/train/encode.ts";
import { openRowEncoder } from "../../src/train/encode-row.ts";
import { labelledRow } from "../evaluate/rows.ts";

const FOLDER = "models/codescore-small";

it("gives each row its tokens and marks, in order", async () => {
  const rows = Array.from({ length: 300 }, (_, i) =>
    labelledRow({
      sample_id: String(i),
      candidate: `def f(x):\n    return ${i % 3 === 0 ? "y" : "x"} + ${i}\n`,
      reference: i % 4 === 0 ? null : `def f(x):\n    return x - ${i}\n`,
      description: "Adds.",
      pass_ratio: 1,
      executable: 1,
    }),
  );
  const [tokenizer, config] = [await loadTokenizer(FOLDER), await readConfig(FOLDER)];
  const formats = ["ref", "nl", "ref+nl"] as const;
  const encode = await openRowEncoder({ file: tokenizer.file, config, formats });
  const examples = await encodeRows(rows, tokenizer, config, formats);
  expect(examples.map(({ sampleId }) => sampleId)).toEqual(rows.map(({ sample_id }) => sample_id));
  expect(examples.map(({ ids, marks = {} }) => ({ ids, marks }))).toEqual(rows.map(encode));
  expect(Object.keys(examples[0]!.ids)).toEqual(["nl"]);
  expect(Object.keys(examples[3]!.marks!)).toEqual(["ref", "nl", "ref+nl"]);
});
