/** Programs encoded with symbols, for a tokenizer that drops capitals and white space. */
import { beforeAll, describe, expect, it } from "vitest";
import { addTokens, makeReader, symbolTokens, Tokenizer, trimVocabulary } from "../../src/tokenize/index.ts";

const words = [
  "def",
  "if",
  "none",
  "return",
  "index",
  "error",
  "raise",
  "is",
  "a",
  "b",
  "f",
  "x",
  "0",
  "##s",
  "begin",
  "block",
];
const signs = [..."():.=\"'+-,_[]"];
const vocab = Object.fromEntries(
  ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ...words, ...signs].map((token, id) => [token, id]),
);
const special = (content: string) => ({ id: vocab[content]!, content, special: true });
const file = {
  added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(special),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [{ Sequence: { id: "A", type_id: 0 } }],
    pair: [],
    special_tokens: { "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] } },
  },
  decoder: null,
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab,
  },
};
const first = Object.keys(vocab).length;
const extended = addTokens(file, symbolTokens(), first);
const tokenizer = new Tokenizer(extended);
const names = new Map([
  ...Object.entries(vocab).map(([token, id]): [number, string] => [id, token]),
  ...extended.added_tokens.map(({ id, content }): [number, string] => [id, content]),
]);
const options = { normalise: "names", symbols: true, staticMarks: true } as const;
let read: Awaited<ReturnType<typeof makeReader>>;
const written = (source: string): string =>
  read(source)
    .ids.map((id) => names.get(id))
    .join(" ");

beforeAll(async () => {
  read = await makeReader(tokenizer, options);
});

describe("a program written with symbols", () => {
  it("has one for each line, level of indentation, capital and variable", () => {
    const source = "def f(x):\n    if x is None:\n        return 0\n    raise IndexError\nf(a)\n";
    expect(written(source)).toBe(
      "def f ( va ) : [INDENT] if va is [CAP] none : [INDENT] return 0 [DEDENT] raise [CAP] index [CAP] error [DEDENT] f ( a )",
    );
    expect(written("if a:\n  if b:\n    f()\na")).toMatch(
      /^if a : \[INDENT\] if b : \[INDENT\] f \( \) \[DEDENT\] \[DEDENT\] a$/,
    );
  });

  it("keeps blank space and capitals of strings apart", () => {
    expect(written("f('a b')")).toBe('f ( " a [SPACE] b " )');
    const alike = ["'a b'", "'a  b'", "'ab'", "'A b'", "'a B'", "'AB'", "'''a\nb'''"];
    expect(new Set(alike.map((string) => `${read(`f(${string})`).ids}`)).size).toBe(alike.length);
  });

  it("does not let its text give a symbol or a special token", () => {
    const ids = read("f('[INDENT] [CLS] [SEP] va')").ids;
    for (const token of ["[INDENT]", "[CLS]", "[SEP]", "va"]) expect(ids).not.toContain(tokenizer.special(token));
  });

  it("has its marks on the lexemes that have them", () => {
    const { ids, marks } = read("def f(x):\n    return ErrorS + x\n");
    const marked = marks.flatMap(({ from, to }) => ids.slice(from, to).map((id) => names.get(id)));
    expect(marks.length).toBe(1);
    expect(marked.join(" ")).toBe("[CAP] error [CAP] [UNK]"); // an undefined name
  });

  it("needs symbols where blank space is lost", async () => {
    await expect(makeReader(tokenizer, { ...options, symbols: false })).rejects.toThrow(/drops blank space/);
    await expect(makeReader(new Tokenizer(file), options)).rejects.toThrow(/special token \[NEWLINE\]/);
  });
});

describe("a trimmed vocabulary", () => {
  const ids = (text: string): readonly number[] => read(text).ids;
  it("gives texts of kept tokens the same tokens, and keeps single characters", () => {
    const source = "if x:\n    raise x\n";
    const { file: small, kept } = trimVocabulary(extended, new Set(ids(source)));
    const smaller = new Tokenizer(small);
    expect(smaller.vocabSize).toBe(kept.length);
    expect(smaller.encode("if raise").map((id) => kept[id])).toEqual(tokenizer.encode("if raise"));
    expect(smaller.special("[INDENT]")).toBe(kept.indexOf(tokenizer.special("[INDENT]")));
    expect(smaller.encode("def a").map((id) => names.get(kept[id]!))).toEqual(["[UNK]", "a"]);
    expect(small.post_processor).toMatchObject({ special_tokens: { "[CLS]": { ids: [smaller.role("start")] } } });
  });
});
