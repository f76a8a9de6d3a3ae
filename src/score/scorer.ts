/**
 * Scores candidates with a model folder. Loads onnxruntime and a tokenizer if the network has a share in the score, never TensorFlow.js.
 * A score depends only on its own row. The network runs in its own thread (network.ts), so the next rows are read while it computes.
 */
import { CodescoreError } from "../errors.ts";
import type { Judged } from "../trees/index.ts";
import type { InputFormat, ScoreInput, Similarity } from "../types.ts";
import { counted } from "../util/counted.ts";
import { concludeText, EMPTY } from "./conclusion.ts";
import { loadParts, type Parts, type ScorerOptions } from "./load.ts";
import type { EmptyRow, ReadRow } from "./reading.ts";
import type { ScoreResult } from "./rows.ts";
import type { RunOptions } from "./run.ts";
import { Summary } from "./summary.ts";
import { type WindowSizes, windows } from "./windows.ts";

export interface RowOptions {
  /** `auto` uses the richest format that the row allows. @default "auto" */
  readonly format?: InputFormat | "auto";
  /** Whether nobody waits for a row any more. Such a row is not read, and its result is an error. @default never */
  readonly isGone?: (row: ScoreInput) => boolean;
  /** Also runs the candidates (run.ts). This reads all rows before the first result. @default nothing is executed */
  readonly run?: RunOptions;
}

/**
 * Rows per window: rows of one window are batched together. A window must be large enough to give batches of similar length, and small
 * enough to give results early. The first window is smaller because the network waits until it is read.
 */
const WINDOWS = { first: 32, most: 256 };

/** Rows per reading thread in a full window. With this many batches all threads finish at about the same time. */
const PER_THREAD = 96;

/** A row that can be scored. */
interface Readable extends ReadRow {
  readonly index: number;
}

export class CodeScorer {
  /** Path of the model's folder. */
  readonly folder: string;
  /** Modules that programs can import. Undefined: those of Python 3.11's standard library. */
  readonly modules: ReadonlySet<string> | undefined;
  /** The execution provider in use. It is `wasm` also if `cpu` was requested and onnxruntime-node is not installed. `none`: no network is used. */
  readonly device: string;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.folder = parts.folder;
    this.modules = parts.encoding.modules;
    this.device = parts.network?.device ?? "none";
    this.#parts = parts;
  }

  /**
   * Loads a model folder (`config.json`, `tokenizer.json`, `onnx/`) by its path, or a shipped model by its name (`tiny`, `small`). Without
   * `model`, loads the best shipped one. Only reads the folder. Throws `CodescoreError("model")` if the folder is incomplete or its parts
   * do not fit together, and `CodescoreError("environment")` if the device is not available.
   */
  static async load(model?: string, options: ScorerOptions = {}): Promise<CodeScorer> {
    return new CodeScorer(await loadParts(model, options));
  }

  /** Names the model, format, length and the version of codescore. Scores with equal signatures are comparable. */
  get signature(): string {
    return this.signatureOf("auto");
  }

  /** The signature of scores made in one format. */
  signatureOf(format: InputFormat | "auto"): string {
    const { name, network, version, encoding, ensemble, calibration } = this.#parts;
    const read = network && `|max:${encoding.maxLength}${encoding.staticMarks ? "|marks:on" : ""}`;
    const others = ensemble.partOf(format);
    const cal = calibration?.covers(format) ? `|cal:${calibration.name}` : "";
    // WebAssembly sums in another order. The sums then round differently, and so may 8-bit activations.
    const on = this.device === "wasm" ? "|device:wasm" : "";
    return `codescore|model:${name}|input:${format}${read ?? ""}${others}${cal}${on}|v:${version}`;
  }

  /** Scores rows in their order. A row that cannot be scored gives its error, and the others are still scored. */
  async scoreAll(inputs: readonly ScoreInput[], options: RowOptions = {}): Promise<ScoreResult[]> {
    const results: ScoreResult[] = [];
    for await (const { result } of this.score(inputs, options)) results.push(result);
    return results;
  }

  /**
   * Scores a stream of rows, in order. Takes new rows only as results are consumed: at most two windows are held, each of at most 256 rows
   * or 96 per reading thread, the larger of the two. If the source pauses, the rows received so far are answered first. Throws what the
   * source throws, and `CodescoreError("usage")` after `close`.
   */
  async *score<Row extends ScoreInput>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    { format = "auto", isGone = () => false, run }: RowOptions = {},
  ): AsyncGenerator<{ row: Row; result: ScoreResult }> {
    if (run === undefined) return yield* this.#score(rows, format, isGone);
    const { RunningScorer } = await import("./run.ts");
    const { concludedByRun } = await import("./run-conclusion.ts");
    const running = await RunningScorer.load(run, this, this.#parts.intervals);
    for await (const { row, result } of running.run(rows, format, isGone))
      yield { row, result: concludedByRun(result) };
  }

  async *#score<Row extends ScoreInput>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    format: InputFormat | "auto",
    isGone: (row: ScoreInput) => boolean,
  ): AsyncGenerator<{ row: Row; result: ScoreResult }> {
    if (typeof rows !== "object" || rows === null || !(Symbol.iterator in rows || Symbol.asyncIterator in rows)) {
      throw new CodescoreError("usage", `expected the rows as an array or an (async) iterable, got ${typeof rows}`);
    }
    const state = { stopped: false };
    let before: Promise<ScoreResult[]> = Promise.resolve([]);
    let waiting: readonly Row[] = [];
    const answers = async (): Promise<{ row: Row; result: ScoreResult }[]> => {
      const results = await before;
      return waiting.map((row, i) => ({ row, result: results[i]! }));
    };
    try {
      for await (const { items, paused } of windows(rows, this.#windows())) {
        const scored = this.#scoreWindow(items, { format, isGone }, before, state);
        scored.catch(() => {}); // avoids an unhandled rejection if the consumer stops before it asks
        yield* await answers();
        [before, waiting] = [scored, items];
        if (!paused) continue;
        yield* await answers();
        waiting = [];
      }
      yield* await answers();
    } finally {
      state.stopped = true;
    }
  }

  #windows(): WindowSizes {
    return { ...WINDOWS, most: Math.max(WINDOWS.most, PER_THREAD * this.#parts.readingThreads) };
  }

  /** Tokenizes at once, and computes when the previous window is done. */
  async #scoreWindow(
    inputs: readonly ScoreInput[],
    { format: wanted, isGone }: Required<Omit<RowOptions, "run">>,
    before: Promise<unknown>,
    state: { readonly stopped: boolean },
  ): Promise<ScoreResult[]> {
    const results = new Array<ScoreResult>(inputs.length);
    const rows: Readable[] = [];
    for (const [index, found] of (await this.#parts.reader.read(inputs, wanted, isGone)).entries()) {
      if ("error" in found) results[index] = found;
      else if ("isEmpty" in found) results[index] = this.#scoreEmpty(found);
      else rows.push({ index, ...found });
    }
    await before;
    const { network } = this.#parts;
    const outputs =
      network &&
      (await network.compute(
        rows.map(({ encoded }) => encoded!),
        state,
      ));
    if (!state.stopped) for (const [i, row] of rows.entries()) results[row.index] = this.#conclude(row, outputs?.[i]);
    return results;
  }

  /** @param network the network's outputs; undefined if it has no share */
  #conclude({ encoded, format, features, notes }: ReadRow, network: Judged | undefined): ScoreResult {
    const { ensemble, calibration } = this.#parts;
    const { cut } = encoded ?? {};
    const isCut = cut !== undefined && cut.candidate + cut.reference + cut.description > 0;
    const raw = features === null ? network! : ensemble.join(network ?? null, features);
    const calibrated = calibration?.apply(raw, format) ?? raw;
    const { findings = [], doubts = [] } = features ?? {};
    return {
      ...calibrated,
      format,
      ...concludeText({ ...calibrated, findings, doubts }),
      ...(findings.length > 0 ? { findings } : {}),
      ...(isCut ? { cut } : {}),
      ...(notes.length > 0 ? { notes } : {}),
      signature: this.signatureOf(format),
    };
  }

  /** The result for an empty answer: it fails every test. */
  #scoreEmpty({ format, notes }: EmptyRow): ScoreResult {
    const interval = this.#parts.calibration?.covers(format) ? { low: 0, high: 0 } : {};
    const findings = [EMPTY];
    const signature = this.signatureOf(format);
    return {
      score: 0,
      exec: 0,
      ...interval,
      ...concludeText({ score: 0, findings }),
      findings,
      format,
      notes,
      signature,
    };
  }

  /**
   * Resolves when rows can be scored. Restarts a network thread that has died. Throws `CodescoreError("usage")` after `close`, and "model"
   * if the network's file is missing or has changed.
   */
  async ready(): Promise<void> {
    await this.#parts.network?.ready();
  }

  /** The scorer as a `Similarity`, for example for round-trip correctness. `notes()` counts the notes on the results so far. */
  similarity(): Similarity & { notes(): readonly string[] } {
    const summary = new Summary();
    return {
      name: "codescore",
      notes: () =>
        Object.entries(summary.notes).map(([note, pairs]) => `codescore: ${counted(pairs, "pair")} with ${note}`),
      compare: async (pairs) => {
        const results = await this.scoreAll(pairs);
        return results.map((result, i) => {
          summary.add(result);
          if (!("error" in result)) return result.score;
          throw new CodescoreError("input", `pair ${i}: ${result.error.message}`);
        });
      },
    };
  }

  /** Frees the model. Calls in progress and later calls throw `CodescoreError("usage")`. A second `close` does nothing. */
  async close(): Promise<void> {
    const { network, reader } = this.#parts;
    await Promise.all([network?.close(), reader.close()]);
  }
}
