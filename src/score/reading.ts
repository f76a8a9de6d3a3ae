/** Reads rows into the inputs of the network and the ensemble. All the slow work on a row happens here, or in threads (reading-threads.ts). */
import { setImmediate } from "node:timers/promises";
import { loadProgramReader } from "../languages/index.ts";
import { encodeOptions, type ScorerConfig } from "../model/config.ts";
import { usesNetwork } from "../model/unice.ts";
import { type Encoded, loadTokenizer, makeEncoder } from "../tokenize/index.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";
import { type Features, loadFeatures } from "./ensemble.ts";
import {
  chooseFormat,
  EMPTY_NOTE,
  GONE,
  isEmpty,
  programFields,
  proseOf,
  readPrograms,
  rowError,
  type ScoreError,
} from "./rows.ts";

export interface ReadRow {
  /** Null if the network has no share in the score. */
  readonly encoded: Encoded | null;
  readonly format: InputFormat;
  /** Null if the network is used alone. */
  readonly features: Features | null;
  readonly notes: readonly string[];
}

/** A row with an empty answer. No model is asked. */
export interface EmptyRow extends Pick<ReadRow, "format" | "notes"> {
  readonly isEmpty: true;
}

/** Facts about the loaded files that a scorer needs. */
export interface ReaderFacts {
  /** Null if no tokenizer is loaded, because the network has no share in the score. */
  readonly vocabSize: number | null;
  /** The name of the trees, null if there are none. */
  readonly trees: string | null;
}

export type FoundRow = ReadRow | EmptyRow | ScoreError;

export interface RowReader extends ReaderFacts {
  /** Reads rows, in their order. Never throws for a row: a row that cannot be read gives its error, and so does a row that `isGone` reports. */
  read(
    inputs: readonly ScoreInput[],
    wanted: InputFormat | "auto",
    isGone: (row: ScoreInput) => boolean,
  ): Promise<FoundRow[]>;
  close(): Promise<void>;
}

/** Total characters of the descriptions whose prose is cached. They repeat for every candidate of a problem. */
const DESCRIPTIONS = 2 ** 16;

/** Milliseconds of reading before the event loop gets its turn. */
const TURN = 10;

/** Reads in this thread. Throws `CodescoreError("model")` if the folder is incomplete or damaged. */
export async function openReader(folder: string, config: Pick<ScorerConfig, "codescore">): Promise<RowReader> {
  const encoding = encodeOptions(config);
  const tokenizer = usesNetwork(config.codescore) ? await loadTokenizer(folder) : null;
  const programs = await loadProgramReader();
  const encode = tokenizer && (await makeEncoder(tokenizer, encoding));
  const parts = await loadFeatures(folder, config.codescore, encoding.modules);
  const proseIn = remember((description) => ({ prose: proseOf(description) }), DESCRIPTIONS);
  const readOne = async (input: ScoreInput, wanted: InputFormat | "auto"): Promise<FoundRow> => {
    try {
      const format = chooseFormat(input, wanted);
      const { row, notes } = await readPrograms(programs, input, programFields(format));
      if (isEmpty(row.candidate)) return { isEmpty: true, format, notes: [...notes, EMPTY_NOTE] };
      const told = row.description ? { ...row, description: proseIn(row.description).prose } : row;
      const encoded = encode?.(told, format) ?? null;
      return { encoded, format, features: parts?.featuresOf(row, format) ?? null, notes };
    } catch (error) {
      return { error: rowError(error) };
    }
  };
  return {
    vocabSize: tokenizer?.vocabSize ?? null,
    trees: parts?.trees ?? null,
    read: async (inputs, wanted, isGone) => {
      const found: FoundRow[] = [];
      let turn = performance.now();
      for (const input of inputs) {
        found.push(isGone(input) ? GONE : await readOne(input, wanted));
        if (performance.now() - turn < TURN) continue;
        await setImmediate();
        turn = performance.now();
      }
      return found;
    },
    close: async () => {},
  };
}
