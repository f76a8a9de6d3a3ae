/** The method `score` of a session: reads rows, and answers with the rows of `codescore score` as they are ready. */
import { CodescoreError } from "../errors.ts";
import {
  brokenRow,
  type CodeScorer,
  type InputRow,
  MOST_INPUTS,
  outputObject,
  type RunOptions,
  type ScoreResult,
  Summary,
  scoreRows,
  toInputRow,
} from "../score/index.ts";
import type { InputFormat } from "../types.ts";
import type { Call, Method } from "./frame-session.ts";
import type { Params } from "./frames.ts";
import { isObject, kindOf } from "./json.ts";
import { parseRun, RUN_FIELDS, RunRefusedError } from "./run-request.ts";

/** How a session runs candidates. */
export interface SessionRuns {
  /** Empty if no sandbox started. */
  readonly options: { readonly run?: RunOptions };
  /** Adds to the result the reason why no sandbox started, if so. */
  note(result: ScoreResult): ScoreResult;
}

const FORMATS: readonly unknown[] = ["auto", "ref", "nl", "ref+nl"];
const ORDERS: readonly unknown[] = ["rank", "best"];
const FLAGS = ["explain", "consensus", "counterexamples"] as const;
const KNOWN: readonly string[] = ["format", "order", ...FLAGS, ...RUN_FIELDS];

interface Asked {
  readonly format: InputFormat | "auto";
  readonly order?: "rank" | "best";
  readonly explain: boolean;
  readonly consensus: boolean;
  readonly run: Pick<RunOptions, "inputs" | "seed" | "until" | "counterexamples"> | null;
}

/** @param runs null if the session runs nothing */
export const scoreMethod =
  (scorer: CodeScorer, runs: SessionRuns | null): Method =>
  async ({ params, rows, signal, put }: Call) => {
    const { format, order, explain: explained, consensus, run } = readParams(params, runs !== null);
    const summary = new Summary();
    const running = run === null ? undefined : runs?.options.run;
    const found = scoreRows(scorer, inputRows(rows), {
      format,
      isGone: () => signal.aborted,
      ...(running && { run: { ...running, ...run } }),
      ...(run !== null && runs !== null && { note: (result: ScoreResult) => runs.note(result) }),
      explain: explained,
      consensus,
      ...(order && { order }),
      onResult: (result) => summary.add(result),
    });
    for await (const one of found) {
      if (signal.aborted) throw new CodescoreError("infra", "cancelled by the client");
      await put(outputObject(one));
    }
    return { summary, signature: scorer.signatureOf(format) };
  };

async function* inputRows(rows: AsyncIterable<unknown>): AsyncGenerator<InputRow> {
  let index = 0;
  for await (const value of rows) {
    const where = `row ${index}`;
    yield isObject(value)
      ? toInputRow({ value, where }, index)
      : brokenRow(index, `${where}: expected an object, got ${kindOf(value)}`);
    index += 1;
  }
}

/** Throws `CodescoreError` for invalid params, and for `run` in a session that runs nothing. */
function readParams(params: Params, runs: boolean): Asked {
  const wrong = (message: string): CodescoreError => new CodescoreError("usage", message);
  const unknown = Object.keys(params).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw wrong(`expected the params ${KNOWN.join(", ")}, got \`${unknown.slice(0, 60)}\``);
  const { format = "auto", order } = params;
  if (!FORMATS.includes(format)) throw wrong(`expected \`format\` to be one of ${FORMATS.join(", ")}`);
  if (order !== undefined && !ORDERS.includes(order))
    throw wrong(`expected \`order\` to be one of ${ORDERS.join(", ")}`);
  const [explained, consensus, counterexamples] = FLAGS.map((name) => {
    const value = params[name];
    if (value === undefined || typeof value === "boolean") return value;
    throw wrong(`expected \`${name}\` to be true or false, got ${kindOf(value)}`);
  });
  const asked = parsedRun(params, runs);
  if (explained && consensus) throw wrong("`explain` explains the score of a single row: use it without `consensus`");
  if (asked !== null && consensus) {
    throw wrong("`run` already compares the samples of a task: use it without `consensus`");
  }
  if (asked === null && counterexamples !== undefined) {
    throw wrong('`counterexamples` is a setting for running candidates: it needs `"run": true`');
  }
  return {
    format: format as InputFormat | "auto",
    ...(order !== undefined && { order: order as "rank" | "best" }),
    explain: explained === true,
    consensus: consensus === true,
    run: asked && { ...asked, ...(counterexamples !== undefined && { counterexamples }) },
  };
}

function parsedRun(params: Params, runs: boolean) {
  try {
    return parseRun(params, { runs, maxInputs: MOST_INPUTS });
  } catch (error) {
    if (!(error instanceof RunRefusedError)) throw error;
    throw new CodescoreError(
      "usage",
      "this session does not run candidates; leave out `run`, or start `codescore serve --stdio --run`",
    );
  }
}
