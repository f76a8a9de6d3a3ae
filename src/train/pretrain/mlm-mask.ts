/** Masks tokens (Devlin et al. 2019, section 3.1), with a new draw at every step as in RoBERTa (Liu et al. 2019, section 4.1). */
import type { Random } from "../../util/random.ts";

export interface MaskOptions {
  /** Share of a sequence's tokens to predict. */
  readonly share: number;
  /** Id of `<mask>`. */
  readonly maskId: number;
  /** Ids below this are special tokens. They are never predicted, and never replace a token. */
  readonly specials: number;
  readonly vocabSize: number;
}

export interface Masked {
  /** The sequences with some tokens replaced. */
  readonly sequences: number[][];
  /** Positions of the tokens to predict in the padded batch: row x longest + place. */
  readonly positions: number[];
  /** The original tokens at these positions. */
  readonly targets: number[];
}

/** Shares of the tokens to predict that become `<mask>` or a random token. The rest stay unchanged. */
const [MASKED, RANDOM] = [0.8, 0.1];

/** Chooses a share of the tokens in each sequence, rounded up or down at random but at least one, and hides them. */
export function maskSequences(
  sequences: readonly (readonly number[])[],
  { share, maskId, specials, vocabSize }: MaskOptions,
  random: Random,
): Masked {
  const longest = Math.max(...sequences.map((ids) => ids.length));
  const masked: Masked = { sequences: [], positions: [], targets: [] };
  for (const [row, sequence] of sequences.entries()) {
    const ids = [...sequence];
    const places = [...ids.keys()].filter((place) => ids[place]! >= specials);
    const count = Math.min(places.length, Math.max(1, Math.floor(share * places.length + random.float())));
    for (let k = 0; k < count; k++) {
      const drawn = random.int(k, places.length - 1); // the first `count` places of a Fisher-Yates shuffle
      [places[k], places[drawn]] = [places[drawn]!, places[k]!];
      const place = places[k]!;
      masked.positions.push(row * longest + place);
      masked.targets.push(ids[place]!);
      const kind = random.float();
      if (kind < MASKED) ids[place] = maskId;
      else if (kind < MASKED + RANDOM) ids[place] = random.int(specials, vocabSize - 1);
    }
    masked.sequences.push(ids);
  }
  return masked;
}
