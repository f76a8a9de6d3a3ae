/** What a metric is, and its options. */

export const LANGUAGES = ["python", "javascript", "typescript", "java", "cpp", "go"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface MetricOptions {
  /** The language of the programs. Only metrics that read syntax need it. @default "python" */
  readonly language?: Language;
  /** `gate` and `rule`: names of the modules that programs can import. @default the standard library of Python 3.11 */
  readonly modules?: ReadonlySet<string>;
  /** `crystalbleu`: a file or folder of programs, to find the trivially shared n-grams. */
  readonly corpus?: string;
  /** `codebleu`: weights of n-gram, weighted n-gram, syntactic and data-flow match. @default [0.25, 0.25, 0.25, 0.25] */
  readonly codeBleuWeights?: readonly number[];
  /** Embedding metrics: the folder with the ONNX model, by metric name. */
  readonly models?: Readonly<Record<string, string>>;
  /** `bertscore` and `codebertscore`: the folder of their encoder, if `models` has none. */
  readonly encoder?: string;
  /** `bertscore` and `codebertscore`: the encoder layer to use. @default the last one; `codebertscore`: layer 10 if it exists */
  readonly layer?: number;
  /** `bertscore` and `codebertscore`: weight tokens by their inverse document frequency in the references. @default false */
  readonly idf?: boolean;
  /** `bertscore` and `codebertscore`: a file of baselines that rescale the values (CSV of bert-score). */
  readonly baseline?: string;
  /** `codebertscore`: prepend the description to both programs, and exclude its tokens. @default false */
  readonly context?: boolean;
  /** Embedding metrics: show a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface Pair {
  readonly candidate: string;
  readonly reference: string;
  /** What the program should do, if known. It is the source of a metric that reads three texts. */
  readonly description?: string | null;
}

interface Named {
  readonly name: string;
  /** How the value is computed, in the form of sacreBLEU's signatures. Final once `prepare` is done. */
  readonly signature: string;
  /** If present, it must be awaited once before scoring. Loads what is too slow to load without need. */
  readonly prepare?: () => Promise<void>;
  /** Set if the metric needs whole programs: a common beginning of both must not be cut. */
  readonly whole?: true;
  /** Frees what `prepare` loaded, for all metrics of the same options object. They cannot be used afterwards. */
  close?(): Promise<void>;
}

/** A metric that reads one pair at a time. */
export interface TextMetric extends Named {
  /** The similarity of the two, in [0, 1]; higher means more similar. Not symmetric for all metrics. */
  score(candidate: string, reference: string): number;
  /** The value of all pairs as one corpus, in [0, 1], if it is not the mean over pairs because counts are summed first. */
  corpus?(candidates: readonly string[], references: readonly string[]): number;
  readonly scoreAll?: undefined;
}

/** A metric that computes in batches, or weights tokens by all references, so it takes all pairs in one call. */
export interface BatchMetric extends Named {
  /** One value per pair, in order; NaN if it cannot be computed. */
  scoreAll(pairs: readonly Pair[]): Promise<number[]>;
  readonly score?: undefined;
  /** Milliseconds per pair in the last call. Needed if two metrics share their work, because a clock around one would not show it. */
  readonly msPerPair?: number | null;
  /** Remarks for the user about the pairs scored so far, one line each, e.g. that texts were cut. */
  notes?(): readonly string[];
}

export type Metric = TextMetric | BatchMetric;
