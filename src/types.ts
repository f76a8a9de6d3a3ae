/**
 * Types that several folders share (see docs/architecture.md). This file imports nothing. Terms: a problem has references and test cases; a
 * candidate is a generated program; a verdict is the result of one candidate on one test case.
 */

/** One test case. Inputs and answers are Python text, because JSON has no tuple, set or NaN. */
export type TestCase = {
  readonly id: string;
  readonly origin: "given" | "expanded";
  /** True if the authors of the data set added this test to the problem's original tests (EvalPlus' `plus_input`). */
  readonly added?: true;
} & (
  | {
      readonly kind: "call";
      /** The argument list as Python source, e.g. `[1, 2], k=3`. */
      readonly args: string;
      /** The expected answer as a Python expression; null: the answer of the reference. */
      readonly expected: string | null;
      /** Absolute tolerance for floats anywhere in the answer; 0 means exact. */
      readonly tolerance: number;
      /** A second correct answer, as a Python expression. */
      readonly also?: string;
    }
  | { readonly kind: "stdio"; readonly stdin: string; readonly expected: string | null }
  /**
   * Assert statements (`assert f(1) == 2`), as in MBPP and HumanEval-ET. `whole`: the code patches modules, reads files or inspects objects. It
   * runs unchanged in the candidate's process, one such test after another, because splitting it would change its meaning.
   */
  | { readonly kind: "assert"; readonly code: string; readonly whole?: true }
  /** A HumanEval test: source that defines `check(candidate)`. The executor splits it into its asserts. */
  | { readonly kind: "check"; readonly code: string }
);

/**
 * How an answer is compared with the expected one. Without it: Python's `==`, and for printed text the same lines.
 * `set`: both are converted to sets. `not-none`: only whether the answer is None (for a bool: its truth value) must match. `any`: any answer.
 * `sequence`: a tuple equals the same list. `types`: 1, True and 1.0 differ. `numbers`: printed words must be equal as text or as decimal numbers.
 */
export type Oracle = "set" | "not-none" | "any" | "sequence" | "types" | "numbers";

export interface Problem {
  readonly id: string;
  /** What the program should do, in natural language. */
  readonly description: string;
  /** The code that a `completion` continues; empty if candidates are whole programs. */
  readonly prompt: string;
  /** The function under test; null for programs that read stdin and write stdout. */
  readonly entryPoint: string | null;
  /** Correct whole programs, prompt included. May be empty. */
  readonly references: readonly string[];
  readonly tests: readonly TestCase[];
  /** Number of tests that the problem originally had, if `tests` now holds others. @default the number of `tests` given with the problem */
  readonly originalTests?: number;
  /** @default Python's `==`; for printed text, the same lines */
  readonly oracle?: Oracle;
  /** The tests receive the program as a string named `solution` and run it themselves (DS-1000). */
  readonly asText?: true;
  /** Python code that runs in every test's namespace before the test: imports and helpers. Never contains an answer. */
  readonly setup: string;
  /** Assert statements about the parameters that hold for every valid input (EvalPlus); empty if unknown. */
  readonly contract: string;
  /** Where the problem was published, e.g. `starter`, `mbpp`. */
  readonly source: string;
  /** Set if programs are notebook cells. There are no tests: a cell is judged by its effect on the state that earlier cells left. */
  readonly notebook?: NotebookTurn;
  /** Data files, which are in the folder in which its programs and tests run. */
  readonly files?: DataFiles;
}

/** One cell's position in a notebook: the cells before it, and what later cells need from it. */
export interface NotebookTurn {
  /** The notebook's name, for messages. All turns of a notebook share it. */
  readonly name: string;
  /** The code cells before this one, in order. */
  readonly before: readonly string[];
  /** Indices into `before` of the cells that are known to raise an exception. The others must not. */
  readonly raising: readonly number[];
  /** Variables that later cells read before they assign them. */
  readonly needed: readonly string[];
  /** All import statements of the notebook. The executor may load these modules early. */
  readonly imports: string;
  /** The notebook's data files; null if it has none. */
  readonly files: DataFiles | null;
}

/** The data files that programs or cells read, by their paths inside a folder. */
export interface DataFiles {
  readonly folder: string;
  /** Relative paths with `/`, sorted. */ readonly paths: readonly string[];
  /** Hash over the paths and contents. */ readonly sha256: string;
}

/** One generated program, as read from a sample file. */
export interface Sample {
  readonly taskId: string;
  readonly sampleId: string;
  /** `completion` continues the problem's prompt; `program` is a whole program. */
  readonly kind: "completion" | "program";
  readonly text: string;
  /** Origin: a model's name, `reference`, `mutant:off-by-one`, ... */
  readonly madeBy: string;
  /** Sampling temperature, if known. */ readonly temperature?: number;
  /** The whole program that this sample rewrites. A sample that does not behave like it is dropped. */
  readonly original?: string;
}

export type Outcome = "pass" | "fail" | "error" | "timeout" | "memory";

/** The result of one candidate on one test case. */
export interface Verdict {
  readonly testId: string;
  readonly outcome: Outcome;
  /** For `error`: the exception's class name, e.g. `NameError`. */
  readonly errorType?: string;
  /** For `error`: the exception's message, limited in length. */
  readonly message?: string;
  /** The test could not be split into inputs and answers. It ran unchanged in the candidate's process. */
  readonly opaque?: true;
}

/**
 * `ok`: labelled. `no_label`: the problem has no test that can be judged. `missing`: the program failed because the environment lacks a package;
 * the row has a label if only the candidate needs the package, and none if the problem needs it too.
 * `infra`: the harness failed; never a label.
 */
export type LabelStatus = "ok" | "no_label" | "missing" | "infra";

/** The result of executing one candidate on all test cases of its problem. */
export interface Execution {
  readonly status: Exclude<LabelStatus, "missing">;
  readonly verdicts: readonly Verdict[];
  /** Passed tests / all tests; null without a label. */
  readonly passRatio: number | null;
  /** 1 if every test ran to an answer, right or wrong; null without a label. */
  readonly executable: 0 | 1 | null;
  /** Class of the first error, or `Timeout` or `MemoryError`; null if there was none. */
  readonly firstError: string | null;
  /** Why there is no label; null for `ok`. */
  readonly reason: string | null;
}

/** One row of a labelled data set. The fields are named like the file's columns. */
export interface LabelledRow {
  readonly task_id: string;
  readonly sample_id: string;
  readonly source: string;
  readonly made_by: string;
  /** Sampling temperature; null if unknown. */
  readonly temperature: number | null;
  /** The whole candidate program. */
  readonly candidate: string;
  /** A whole correct program other than the candidate itself; null if the problem has none. */
  readonly reference: string | null;
  readonly description: string | null;
  readonly pass_ratio: number | null;
  readonly executable: 0 | 1 | null;
  readonly n_tests: number;
  readonly n_passed: number;
  /** How many of the `n_tests` ran unchanged in the candidate's process (`Verdict.opaque`). */
  readonly n_opaque: number;
  /** 1 if the program passes all original tests of the problem, otherwise 0; null if all of its tests are original, or none is. */
  readonly passes_base: 0 | 1 | null;
  readonly status: LabelStatus;
  readonly first_error: string | null;
  readonly reason: string | null;
  /** Weight of the row in training. Rows of a set without weights have 1. */
  readonly weight: number;
}

/** The three input formats of CodeScore (Dong et al. 2023, section 2.2). */
export type InputFormat = "ref" | "nl" | "ref+nl";

/** The input of the scorer: one candidate and what to compare it with. */
export interface ScoreInput {
  /** A Python program. If it is an answer in Markdown, the program is taken from its code fence. */
  readonly candidate: string;
  readonly reference?: string | null;
  readonly description?: string | null;
  /** The programming language of both programs, if known. Any language other than Python is an error. */
  readonly language?: string | null;
  /** Candidates of one task are run together. @default rows with the same reference and description form a task */
  readonly taskId?: string | null;
  /** The function to call when candidates are run. @default detected */
  readonly entryPoint?: string | null;
}

/** The result of running a candidate without tests. */
export interface Behaviour {
  /** Weighted share of the inputs on which the candidate answers like the reference; null without a reference. */
  readonly agree: number | null;
  /** Number of inputs that it ran on. */ readonly inputs: number;
  /** Examples in the description that it passes; null if the description has none. */
  readonly examples: { readonly passed: number; readonly total: number } | null;
  /** Mean share of the task's other candidates that give the same answer, over the inputs; null if there are no others. */
  readonly samples: number | null;
  /** What its answers were compared with; null if nothing was run. */
  readonly source: "reference" | "samples" | "examples" | null;
  /** The smallest input found on which its answer differs from the reference or from an example. */
  readonly counterexample: Counterexample | null;
  /** The reference gave one and the same answer to all of several inputs, so agreement with it shows little. */
  readonly constant?: true;
  /** Why nothing ran, or why it is inconclusive. */ readonly reason?: string;
}

/**
 * The call (`is_prime(9)`) or the text read, and both answers, each of at most 2,000 characters. `unusual`: the task may not define the answer (docs/behaviour.md).
 * `afterOtherCalls`: it is wrong only after other calls in the same process. In a fresh process it is right on this input.
 */
export interface Counterexample {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
  readonly unusual?: true;
  readonly afterOtherCalls?: true;
}

/** A reason why a candidate fails or is doubtful, found without running it. */
export interface Finding {
  /** Line in the candidate, from 1; null if no single line is responsible. */
  readonly line: number | null;
  readonly what: string;
  /** The static analysis concludes that no test can pass. Absent if a test may not reach the fault, or if the fault only makes passing unlikely. */
  readonly certain?: true;
}

/**
 * What a score is based on. `fails`: static analysis found a fault, or an input showed one. `looks-right`: not executed; it resembles a correct
 * program. `behaves-right`: it ran, and no input showed a fault; without a reference it probably passes every test. `unknown`: none of these.
 */
export type Conclusion = "fails" | "looks-right" | "behaves-right" | "unknown";

export interface Score {
  /** The conclusion, and the reason in a few words. A scorer's results always have both. */
  readonly conclusion?: Conclusion;
  readonly reason?: string;
  /** Faults found without running the program that make it fail for certain. */
  readonly findings?: readonly Finding[];
  /** Predicted PassRatio, in [0, 1]; calibrated if the model has a calibration. */
  readonly score: number;
  /** Prediction interval: it contains the PassRatio with the requested coverage. Absent without a calibration. */
  readonly low?: number;
  readonly high?: number;
  /** The interval is wider than the limit that was asked for. Run the program instead. */
  readonly abstained?: true;
  /** Probability that the candidate executes, in [0, 1]. */
  readonly exec: number;
  /** Probability that the candidate passes every test, in [0, 1]. Only if it was run. */
  readonly pass?: number;
  /** The result of running it, if it was run. `score`, `low`, `high` and `exec` then take it into account too. */
  readonly behaviour?: Behaviour;
  /** Agreement with the task's other candidates, in [0, 1], if requested. `score` is then the mean of this and the score without it. */
  readonly consensus?: number;
  readonly format: InputFormat;
  /** Tokens cut from each part to fit the model's maximum length; absent if nothing was cut. */
  readonly cut?: { readonly candidate: number; readonly reference: number; readonly description: number };
  /** How the row's texts were interpreted, e.g. `candidate: taken out of a Markdown fence`; absent if they are plain programs. */
  readonly notes?: readonly string[];
  /** Names the model, format, length and the version of codescore, like the signatures of sacreBLEU. */
  readonly signature: string;
}

/** A measure of how similar two programs are in function; RTC's `sim`. In [0, 1], higher is more similar. */
export interface Similarity {
  readonly name: string;
  /** Compares all pairs in one call, so that a learned similarity can batch them. */
  compare(pairs: readonly SimilarityPair[]): Promise<number[]>;
  close?(): Promise<void>;
}

export interface SimilarityPair {
  /** The original program. */
  readonly reference: string;
  /** The program after the round trip. */
  readonly candidate: string;
  /** What the program should do, if known. */
  readonly description?: string | null;
  /** The problem that both programs solve. The `pass` similarity needs it to find the tests. */
  readonly problemId?: string;
  /** The function to call when both are run. @default detected */
  readonly entryPoint?: string | null;
}

/**
 * A Python value of a built-in type, from a sandbox or from a literal. Instances of a candidate's own classes never leave the sandbox:
 * they become `object`, with only their type name and canonical form.
 */
export type PyValue =
  | { readonly t: "none" }
  | { readonly t: "bool"; readonly v: boolean }
  | { readonly t: "int"; readonly v: bigint }
  | { readonly t: "float"; readonly v: number }
  | { readonly t: "complex"; readonly re: number; readonly im: number }
  | { readonly t: "str"; readonly v: string }
  /** As hexadecimal text. */
  | { readonly t: "bytes"; readonly v: string }
  | { readonly t: "list" | "tuple" | "set" | "frozenset"; readonly v: readonly PyValue[] }
  | { readonly t: "dict"; readonly v: readonly (readonly [PyValue, PyValue])[] }
  | { readonly t: "object"; readonly type: string; readonly form: string };

/** One input of a program: the Python source of an argument list, or the text on stdin. */
export type ProgramInput = { readonly args: string } | { readonly stdin: string };
