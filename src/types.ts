/**
 * The types that several folders share (see docs/architecture.md); imports nothing.
 * The words are the field's: a problem has references and test cases; a candidate is a generated program; a
 * verdict is one candidate on one test case.
 */

/** One test case. Python text throughout: JSON has no tuple, set or nan. */
export type TestCase = {
  readonly id: string;
  readonly origin: "given" | "expanded";
  /** The set's authors added it to the tests that the problem first came with (EvalPlus' `plus_input`). */
  readonly added?: true;
} & (
  | {
      readonly kind: "call";
      /** The argument list as Python source, e.g. `[1, 2], k=3`. */
      readonly args: string;
      /** Python expression of the answer; null: what the reference answers. */
      readonly expected: string | null;
      /** Absolute tolerance for floats anywhere in the answer; 0 is exact. */
      readonly tolerance: number;
      /** Python expression of another answer that is as right. */
      readonly also?: string;
    }
  | { readonly kind: "stdio"; readonly stdin: string; readonly expected: string | null }
  /**
   * Assert statements (`assert f(1) == 2`), as MBPP and HumanEval-ET have them. `whole`: code that patches modules, reads files or
   * looks at objects, and so runs beside the program as it stands, one such test after another as in one script; taken apart, it would
   * say something else.
   */
  | { readonly kind: "assert"; readonly code: string; readonly whole?: true }
  /** A HumanEval test: source that defines `check(candidate)`; the executor splits it into its asserts. */
  | { readonly kind: "check"; readonly code: string }
);

/**
 * How a set holds an answer against the expected one, where Python's `==` (of what is printed: the same lines) is not its own rule.
 * `set`: the two made sets. `not-none`: whether it is None; a truth value stands for itself. `any`: every answer that comes.
 * `sequence`: a tuple counts as the list. `types`: 1, True and 1.0 are three values. `numbers`: of what is printed, the same words or decimal numbers.
 */
export type Oracle = "set" | "not-none" | "any" | "sequence" | "types" | "numbers";

export interface Problem {
  readonly id: string;
  /** What the program should do, in natural language. */
  readonly description: string;
  /** What a `completion` continues; empty where candidates are whole programs. */
  readonly prompt: string;
  /** The function under test; null for programs that read stdin and write stdout. */
  readonly entryPoint: string | null;
  /** Correct whole programs (prompt included). May be empty. */
  readonly references: readonly string[];
  readonly tests: readonly TestCase[];
  /** How many tests the problem first came with, where others stand in `tests` by now; absent: those of `tests`. */
  readonly originalTests?: number;
  /** @default Python's `==`; of what is printed, the same lines */
  readonly oracle?: Oracle;
  /** The tests get the program as the text `solution`, and run it themselves (DS-1000). */
  readonly asText?: true;
  /** Python run in every test's namespace before the test: imports, helpers. Never contains an answer. */
  readonly setup: string;
  /** Assert statements over the parameters that valid inputs satisfy (EvalPlus); empty when unknown. */
  readonly contract: string;
  /** Where the problem comes from, e.g. `starter`, `mbpp`. */
  readonly source: string;
  /** Programs are cells of a notebook, and are judged by what they make of the state that the cells before leave; there are no tests. */
  readonly notebook?: NotebookTurn;
}

/** A place in a notebook: what ran before it, and what hangs on it. */
export interface NotebookTurn {
  /** The notebook, for messages; turns of one notebook have one name. */
  readonly name: string;
  /** Code cells before it, in order. */
  readonly before: readonly string[];
  /** Places in `before` of cells that are known to raise an exception; others must not. */
  readonly raising: readonly number[];
  /** Variables that later cells read before they bind them. */
  readonly needed: readonly string[];
  /** Import statements of the whole notebook, which may be loaded early. */
  readonly imports: string;
  /** The notebook's data files; null where it has none. */
  readonly files: NotebookFiles | null;
}

/** Files that cells read, at their paths within a folder. */
export interface NotebookFiles {
  readonly folder: string;
  /** Relative, with `/`, in order. */
  readonly paths: readonly string[];
  /** Of paths and contents. */
  readonly sha256: string;
}

/** One generated program as a sample file has it. */
export interface Sample {
  readonly taskId: string;
  readonly sampleId: string;
  /** `completion` continues the problem's prompt; `program` is whole. */
  readonly kind: "completion" | "program";
  readonly text: string;
  /** Who made it: a model's name, `reference`, `mutant:off-by-one`, ... */
  readonly madeBy: string;
  /** Of the sampling that made it, where that is known. */
  readonly temperature?: number;
  /** The whole program that this one is a rewrite of and must behave like; it is dropped where it does not. */
  readonly original?: string;
}

export type Outcome = "pass" | "fail" | "error" | "timeout" | "memory";

/** One candidate on one test case. */
export interface Verdict {
  readonly testId: string;
  readonly outcome: Outcome;
  /** For `error`: the exception's class, e.g. `NameError`. */
  readonly errorType?: string;
  /** For `error`: the exception's whole message, bounded. */
  readonly message?: string;
  /** The test could not be split into inputs and answers and ran whole beside the candidate. */
  readonly opaque?: true;
}

/**
 * `ok`: labelled. `no_label`: no runnable test. `missing`: it fails for want of a package that is not in the environment;
 * it has a label where it alone wants the package, and none where its problem does.
 * `infra`: the harness failed; never a label.
 */
export type LabelStatus = "ok" | "no_label" | "missing" | "infra";

/** What executing one candidate on all its test cases showed. */
export interface Execution {
  readonly status: Exclude<LabelStatus, "missing">;
  readonly verdicts: readonly Verdict[];
  /** Passed / all test cases; null without a label. */
  readonly passRatio: number | null;
  /** 1 when every test ran to an answer (a wrong answer still executes); null without a label. */
  readonly executable: 0 | 1 | null;
  /** Class of the first error, `Timeout` or `MemoryError`; null when there was none. */
  readonly firstError: string | null;
  /** Why there is no label; null for `ok`. */
  readonly reason: string | null;
}

/** A row of a labelled data set, in file column names. */
export interface LabelledRow {
  readonly task_id: string;
  readonly sample_id: string;
  readonly source: string;
  readonly made_by: string;
  /** Of the sampling that made it; null where that is not known. */
  readonly temperature: number | null;
  /** The whole candidate program. */
  readonly candidate: string;
  /** A whole correct program that is not the candidate itself, where the problem has one. */
  readonly reference: string | null;
  readonly description: string | null;
  readonly pass_ratio: number | null;
  readonly executable: 0 | 1 | null;
  readonly n_tests: number;
  readonly n_passed: number;
  /** Of `n_tests`, those that ran whole beside the program (`Verdict.opaque`). */
  readonly n_opaque: number;
  /** 1 when it passes every test that the problem first came with; null where these are all of its tests, or none of them. */
  readonly passes_base: 0 | 1 | null;
  readonly status: LabelStatus;
  readonly first_error: string | null;
  readonly reason: string | null;
  /** How much the row counts in training, against 1 for a row of a set without weights. */
  readonly weight: number;
}

/** The three input formats of CodeScore (Dong et al. 2023, section 2.2). */
export type InputFormat = "ref" | "nl" | "ref+nl";

/** What the scorer looks at. */
export interface ScoreInput {
  /** A Python program; an answer in Markdown gives the one in its fence. */
  readonly candidate: string;
  readonly reference?: string | null;
  readonly description?: string | null;
  /** What both programs are written in, where that is known; the name of another language than Python is an error. */
  readonly language?: string | null;
  /** Candidates of one task are run together. @default those with the same reference and description */
  readonly taskId?: string | null;
  /** The function that is called where candidates are run. @default found out */
  readonly entryPoint?: string | null;
}

/** What running a candidate without tests showed. */
export interface Behaviour {
  /** Share of the inputs on which it answers as the reference does; null without a reference. */
  readonly agree: number | null;
  /** Inputs that it ran on. */
  readonly inputs: number;
  /** Examples of the description that it passes; null where the description shows none. */
  readonly examples: { readonly passed: number; readonly total: number } | null;
  /** Mean share of the task's other candidates that give the same answer; null where there are none. */
  readonly samples: number | null;
  /** What its answers were held against; null where nothing was run. */
  readonly source: "reference" | "samples" | "examples" | null;
  /** The smallest input found on which it answers otherwise than the reference, or than an example says. */
  readonly counterexample: Counterexample | null;
  /** Why nothing was run, or what it ran says nothing. */
  readonly reason?: string;
}

/** Short texts: a call (`is_prime(9)`) or what was read, and both answers. `unusual`: the task may not define the answer (docs/behaviour.md). */
export interface Counterexample {
  readonly input: string;
  readonly expected: string;
  readonly got: string;
  readonly unusual?: true;
}

/** Why a candidate fails, as far as it is seen without running it. */
export interface Finding {
  /** In the candidate, from 1; null where it is no line's alone. */
  readonly line: number | null;
  readonly what: string;
  /** With it no test can pass, as far as is seen; absent where a test may not reach it, or it only makes passing rare. */
  readonly certain?: true;
}

/**
 * What a score goes by. `fails`: seen to fail without running it, or shown by an input. `looks-right`: it resembles what is right, and nothing
 * ran. `behaves-right`: it ran, and no input showed it wrong. `unknown`: none of these.
 */
export type Conclusion = "fails" | "looks-right" | "behaves-right" | "unknown";

export interface Score {
  /** Which of these it is, and why in a few words. A scorer's results have both. */
  readonly conclusion?: Conclusion;
  readonly reason?: string;
  /** What it fails by for certain, where that is seen without running it. */
  readonly findings?: readonly Finding[];
  /** Predicted PassRatio, in [0, 1]; calibrated where the model has a calibration. */
  readonly score: number;
  /** The interval that holds the PassRatio as often as the coverage says; absent without a calibration. */
  readonly low?: number;
  readonly high?: number;
  /** The interval is wider than was asked for: better run the program. */
  readonly abstained?: true;
  /** Probability that the candidate executes, in [0, 1]. */
  readonly exec: number;
  /** Probability that the candidate passes every test, in [0, 1]; where it was run. */
  readonly pass?: number;
  /** What running it showed; where it was run. `score`, `low`, `high` and `exec` follow from it too. */
  readonly behaviour?: Behaviour;
  /** Agreement with the other candidates of the task, in [0, 1], where it was asked for: half of `score` then. */
  readonly consensus?: number;
  readonly format: InputFormat;
  /** Tokens cut from each part to fit the model's length; absent when nothing was. */
  readonly cut?: { readonly candidate: number; readonly reference: number; readonly description: number };
  /** What was made of the row's texts, e.g. `candidate: taken out of a Markdown fence`; absent where they are plain programs. */
  readonly notes?: readonly string[];
  /** Names the model, format, length and version, as sacreBLEU's signatures do. */
  readonly signature: string;
}

/** Says how alike two programs are in what they do; RTC's `sim`. Higher is more alike, in [0, 1]. */
export interface Similarity {
  readonly name: string;
  /** Compares pairs in one call, so that a learned similarity can batch. */
  compare(pairs: readonly SimilarityPair[]): Promise<number[]>;
  close?(): Promise<void>;
}

export interface SimilarityPair {
  /** The original program. */
  readonly reference: string;
  /** The program that came back. */
  readonly candidate: string;
  /** What the program should do, where known. */
  readonly description?: string | null;
  /** The problem both belong to; the `pass` similarity needs it for its tests. */
  readonly problemId?: string;
  /** The function that is called where both are run. @default found out */
  readonly entryPoint?: string | null;
}

/**
 * A Python value of the built-in types, as it leaves a sandbox or stands in a literal. A candidate's own classes never
 * cross: they are `object`, known by type name and canonical form.
 */
export type PyValue =
  | { readonly t: "none" }
  | { readonly t: "bool"; readonly v: boolean }
  | { readonly t: "int"; readonly v: bigint }
  | { readonly t: "float"; readonly v: number }
  | { readonly t: "complex"; readonly re: number; readonly im: number }
  | { readonly t: "str"; readonly v: string }
  /** Hexadecimal. */
  | { readonly t: "bytes"; readonly v: string }
  | { readonly t: "list" | "tuple" | "set" | "frozenset"; readonly v: readonly PyValue[] }
  | { readonly t: "dict"; readonly v: readonly (readonly [PyValue, PyValue])[] }
  | { readonly t: "object"; readonly type: string; readonly form: string };

/** One input of a program: Python source of an argument list, or what it reads. */
export type ProgramInput = { readonly args: string } | { readonly stdin: string };
