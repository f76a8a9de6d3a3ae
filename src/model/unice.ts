/** The keys that UniCE adds to an encoder's shape, under `codescore` in `config.json`. */
import { CodescoreError } from "../errors.ts";
import { NORMALISE, type Normalise } from "../tokenize/index.ts";

/** Dong et al. 2023, section 2.2; layer-wise attention as in Rei et al. 2020, COMET. */
export interface UniceConfig {
  /** Turns the layer scalars into layer weights. */
  readonly mix: "softmax" | "sparsemax";
  /** `first`: the first token. `first+means`: also the mean over the candidate's tokens and the mean over the reference's tokens. */
  readonly pool: "first" | "first+means";
  /** Widths of the hidden layers between the pooled vector and the two outputs. */
  readonly head_sizes: readonly number[];
  /** Whether positions count from the start of the sequence, as in RoBERTa, or from the start of each part. */
  readonly positions: "sequence" | "part";
  /** Adds part and cover embeddings to each token. */
  readonly channels: boolean;
  /** Increasing n-gram lengths. A token's cover level is the number of these lengths with a shared n-gram that covers the token. */
  readonly cover: readonly number[];
  /** Adds an embedding of each token's static mark, an extra input next to the ids. */
  readonly static_marks: boolean;
  /**
   * Modules that programs could import when the training rows were executed, separated by spaces. Imports of other modules get a static
   * mark. null: the modules of Python 3.11's standard library.
   */
  readonly modules: string | null;
  /**
   * Standard deviation of a new model's embeddings, including the channels', so that the channels have an effect from the first step
   * (models/LOG.md). 0: `initializer_range` for the encoder's embeddings and zeros for the channels', so that an encoder trained without
   * channels starts unchanged.
   */
  readonly embedding_range: number;
  readonly normalise: Normalise;
  /**
   * Writes programs with symbols for lines, indentation and capitals, and with one token per variable; the vocabulary holds these tokens
   * (`tokenize/symbols.ts`). For tokenizers that drop such information.
   */
  readonly symbols: boolean;
  readonly empty_parts: "omit" | "keep";
  /** Maximum tokens in a sequence. */
  readonly max_length: number;
  /** Maximum tokens of the description. */
  readonly max_description: number;
  /**
   * Weight of the rule (`metrics/static/rule.ts`, which is no network) in the score of a row with a reference. The network and the trees
   * get the rest. `score/` computes this, not the network.
   */
  readonly rule: number;
  /**
   * Weight of the trees in `trees.safetensors` (`trees/`), likewise. Without a reference there is no rule: trees and network share the
   * score in the same ratio. If the weights of rule and trees sum to 1, the network has no share, and is not loaded.
   */
  readonly trees: number;
}

export const UNICE: UniceConfig = {
  mix: "softmax",
  pool: "first+means",
  head_sizes: [3072, 1024],
  positions: "part",
  channels: true,
  cover: [1, 2, 3, 5, 8],
  static_marks: true,
  modules: null,
  embedding_range: 1,
  normalise: "names",
  symbols: false,
  empty_parts: "keep",
  max_length: 1022,
  max_description: 1022,
  rule: 0,
  trees: 0,
};

/** Defaults of an imported checkpoint: heads on the first token only, texts and sequences unchanged. */
export const IMPORTED: UniceConfig = {
  ...UNICE,
  pool: "first",
  positions: "sequence",
  embedding_range: 0,
  normalise: "none",
  empty_parts: "omit",
};

/**
 * Defaults for keys that are missing from an older config. These keys are newer than the models without them, which were trained this way.
 * Other missing keys take the values of `UNICE`.
 */
export const BEFORE = {
  positions: "sequence",
  static_marks: false,
  modules: null,
  embedding_range: 0,
  normalise: "code",
  rule: 0,
  trees: 0,
} as const;

/** Minimum sequence length in tokens. Shorter sequences would hold little but separators. */
const SHORTEST = 8;

/** Whether the network has a share in the score. */
export const usesNetwork = ({ rule, trees }: Pick<UniceConfig, "rule" | "trees">): boolean => rule + trees < 1;

/** Maximum width and number of the layers after the encoder. */
const WIDEST = 2 ** 16;
const DEEPEST = 16;

/** Throws `CodescoreError("model")` that names the key. `longest` is the longest sequence that fits the position table. */
export function checkUnice(unice: UniceConfig, longest: number, path: string): void {
  const expectThat = (holds: boolean, key: keyof UniceConfig, wanted: string): void => {
    if (holds) return;
    const got = JSON.stringify(unice[key])?.slice(0, 80) ?? "nothing";
    throw new CodescoreError("model", `${path}: expected \`codescore.${key}\` to be ${wanted}, got ${got}`);
  };
  const unknown = Object.keys(unice).find((key) => !(key in UNICE));
  if (unknown !== undefined) {
    const known = Object.keys(UNICE).join(", ");
    throw new CodescoreError("model", `${path}: expected keys of \`codescore\` among ${known}, got \`${unknown}\``);
  }
  const { mix, pool, head_sizes, channels, static_marks, cover, normalise, symbols, empty_parts } = unice;
  const { positions, modules, embedding_range, max_length, max_description, rule, trees } = unice;
  const positive = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
  const isWidth = (value: unknown): boolean => positive(value) && value <= WIDEST;
  const isHead = Array.isArray(head_sizes) && head_sizes.length <= DEEPEST && head_sizes.every(isWidth);
  expectThat(["softmax", "sparsemax"].includes(mix), "mix", "softmax or sparsemax");
  expectThat(["first", "first+means"].includes(pool), "pool", "first or first+means");
  expectThat(isHead, "head_sizes", `a list of at most ${DEEPEST} integers from 1 to ${WIDEST}`);
  expectThat(["sequence", "part"].includes(positions), "positions", "sequence or part");
  expectThat(typeof channels === "boolean", "channels", "true or false");
  expectThat(typeof static_marks === "boolean", "static_marks", "true or false");
  expectThat(modules === null || typeof modules === "string", "modules", "names separated by spaces, or null");
  const rising = (n: number, i: number): boolean =>
    positive(n) && (i === 0 ? n === 1 : n > cover[i - 1]! && n <= 2 * cover[i - 1]!);
  const wantedCover = "rising integers from 1 on, each at most twice the one before";
  expectThat(Array.isArray(cover) && cover.length > 0 && cover.every(rising), "cover", wantedCover);
  expectThat(typeof embedding_range === "number" && embedding_range >= 0, "embedding_range", "a number of at least 0");
  expectThat(NORMALISE.includes(normalise), "normalise", "none, code, names or canonical");
  const isLexed = normalise === "names" || normalise === "canonical";
  expectThat(
    symbols === false || (symbols === true && isLexed),
    "symbols",
    "false, or true with normalise names or canonical",
  );
  expectThat(["omit", "keep"].includes(empty_parts), "empty_parts", "omit or keep");
  expectThat(positive(max_length) && max_length >= SHORTEST, "max_length", `an integer of at least ${SHORTEST}`);
  expectThat(positive(max_description), "max_description", "a positive integer");
  const isWeight = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;
  expectThat(isWeight(rule) && rule < 1, "rule", "a weight in [0, 1)");
  expectThat(isWeight(trees) && rule + trees <= 1, "trees", "a weight in [0, 1], together with `rule` at most 1");
  if (longest >= SHORTEST) return;
  throw new CodescoreError(
    "model",
    `${path}: expected \`max_position_embeddings\` for sequences of at least ${SHORTEST} tokens, got ones of ${longest}`,
  );
}
