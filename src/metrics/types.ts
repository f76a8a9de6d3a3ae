/** What a metric is, and what it may be given. */

export const LANGUAGES = ["python", "javascript", "typescript", "java", "cpp", "go"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface MetricOptions {
  /** What the programs are written in; only metrics that read syntax ask. @default "python" */
  readonly language?: Language;
  /** `gate` and `rule`: names of the modules that programs can import. @default those of Python 3.11's standard library */
  readonly modules?: ReadonlySet<string>;
  /** `crystalbleu`: a file or folder of programs to count the trivially shared n-grams in. */
  readonly corpus?: string;
  /** `codebleu`: of n-gram, weighted n-gram, syntactic and data-flow match. @default [0.25, 0.25, 0.25, 0.25] */
  readonly codeBleuWeights?: readonly number[];
  /** Metrics over embeddings: the folder with the ONNX model, by the metric's name. */
  readonly models?: Readonly<Record<string, string>>;
  /** `bertscore` and `codebertscore`: the folder of their encoder, where `models` names none. */
  readonly encoder?: string;
  /** The same: after how many of the encoder's layers. @default the last there is; `codebertscore`: 10 where it is there */
  readonly layer?: number;
  /** The same: weigh tokens by their inverse document frequency in the references. @default false */
  readonly idf?: boolean;
  /** The same: a file of baselines by which the values are rescaled (bert-score's CSV). */
  readonly baseline?: string;
  /** `codebertscore`: put the description before both programs, and leave its tokens out. @default false */
  readonly context?: boolean;
  /** Metrics over embeddings: show a bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface Pair {
  readonly candidate: string;
  readonly reference: string;
  /** What the program should do, where known: the source of a metric that reads three texts. */
  readonly description?: string | null;
}

interface Named {
  readonly name: string;
  /** Says how it is computed, as sacreBLEU's signatures do. Final once `prepare` is done. */
  readonly signature: string;
  /** To be awaited once before scoring, where it is there: loads what is too slow to load unasked. */
  readonly prepare?: () => Promise<void>;
  /** Needs whole programs: a head that both begin with is not cut. */
  readonly whole?: true;
  /** Frees what `prepare` loaded, for all metrics of the same options object; they can be used no more. */
  close?(): Promise<void>;
}

/** Reads one pair at a time. */
export interface TextMetric extends Named {
  /** How alike the two are, in [0, 1]; higher is more alike. Symmetric only where the metric is. */
  score(candidate: string, reference: string): number;
  /** Of all pairs as one corpus, in [0, 1], where that is not the mean over pairs: counts are summed first. */
  corpus?(candidates: readonly string[], references: readonly string[]): number;
  readonly scoreAll?: undefined;
}

/** Computes in batches, or weighs tokens by all references: wants all pairs in one call. */
export interface BatchMetric extends Named {
  /** One value a pair, in order; NaN where none can be had. */
  scoreAll(pairs: readonly Pair[]): Promise<number[]>;
  readonly score?: undefined;
  /** What a pair took in the last call, in ms, where two metrics share their work and the clock would not show it. */
  readonly msPerPair?: number | null;
  /** What people should know of the pairs scored so far, a line each: texts that were cut, say. */
  notes?(): readonly string[];
}

export type Metric = TextMetric | BatchMetric;
