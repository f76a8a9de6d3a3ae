/** POST /v1/score: scores. On request also each line's effect, the consensus of samples, or the results of running candidates. */
import type { Context } from "hono";
import type { ScoreResult } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { Analysis } from "./analysis.ts";
import { type BodyLimits, readJsonBody } from "./body.ts";
import { explainRow, statementsOf } from "./explained.ts";
import { charsOf, parseRequest, type RowLimits, type ScoreRequest } from "./rows.ts";
import { type RunQueue, runCost } from "./run-queue.ts";
import { RunRefusedError } from "./run-request.ts";
import type { RowError } from "./scorer.ts";

export interface ScoreParts {
  readonly limits: RowLimits;
  readonly bodies: BodyLimits;
  readonly analysis: Analysis;
  readonly modules: ReadonlySet<string> | undefined;
  /** Null if this server runs nothing. */
  readonly runs: RunQueue | null;
  /**
   * Scores rows for a request, which counts as `cost` rows of its client's rate. Throws `BusyError` if they do not fit into the
   * queue, and throws like `RateLimit.pay`.
   */
  readonly score: (c: Context, inputs: readonly ScoreInput[], cost?: number) => Promise<(Score | RowError)[]>;
  readonly count: (result: Score | RowError) => void;
}

/** A row of the request, the score of its texts, and its final result. */
interface Answered {
  readonly row: ScoreRequest["rows"][number];
  readonly byText: ScoreResult;
  readonly result: ScoreResult;
}

/** Throws like `readJsonBody`, `parseRequest`, `RunQueue.enter` and `ScoreParts.score`. */
export const scoreRoute =
  (parts: ScoreParts) =>
  async (c: Context): Promise<Response> => {
    const request = parseRequest(await readJsonBody(c, parts.bodies), parts.limits);
    const answered = request.run === null ? await scored(c, request, parts) : await scoredAndRun(c, request, parts);
    for (const { result } of answered) parts.count(result);
    if (request.consensus) {
      const rows = answered.map(({ row: { task, input }, result }) => ({
        task,
        candidate: "error" in input ? "" : input.candidate,
        result,
      }));
      const joined = await parts.analysis.consensus({ rows, modules: parts.modules }, c.req.raw.signal);
      return c.json({ rows: joined.map((result, i) => ({ id: request.rows[i]!.id, ...result })) });
    }
    if (!request.explain) return c.json({ rows: answered.map(({ row, result }) => ({ id: row.id, ...result })) });
    return c.json({ rows: await Promise.all(answered.map((one) => explained(c, one, parts))) });
  };

/** Scores rows without running them. */
async function scored(
  c: Context,
  { rows, explain, run }: ScoreRequest,
  { score }: Pick<ScoreParts, "score">,
): Promise<Answered[]> {
  const inputs = rows.flatMap(({ input }): ScoreInput[] => ("error" in input ? [] : [input]));
  const statements = explain ? inputs.reduce((sum, input) => sum + statementsOf(input), 0) : 0;
  const cost = inputs.length + statements + (run === null ? 0 : runCost(inputs.length, run));
  const results = (await score(c, inputs, cost)).values();
  return rows.map((row) => {
    const result = "error" in row.input ? row.input : results.next().value!;
    return { row, byText: result, result };
  });
}

/** Scores rows and then runs them. Their place in the run queue is reserved first. */
async function scoredAndRun(c: Context, request: ScoreRequest, { score, runs }: ScoreParts): Promise<Answered[]> {
  if (runs === null || request.run === null) throw new RunRefusedError("nothing is run here");
  const chars = request.rows.reduce((sum, { input }) => sum + ("error" in input ? 0 : charsOf(input)), 0);
  const place = runs.enter(request.rows.length, chars);
  try {
    const answered = await scored(c, request, { score });
    const rows = answered.flatMap(({ row: { input }, byText }) =>
      "error" in input || "error" in byText ? [] : [{ ...input, byText }],
    );
    const results = (await place.run(rows, request.run, c.req.raw.signal)).values();
    return answered.map((one) => ("error" in one.byText ? one : { ...one, result: results.next().value! }));
  } finally {
    place.leave();
  }
}

/** Adds each line's effect on the score of the text. The results of a run cannot be attributed to single lines. */
async function explained(c: Context, { row, byText, result }: Answered, parts: ScoreParts): Promise<object> {
  const { input, id } = row;
  if ("error" in result || "error" in input || "error" in byText) return { id, ...result };
  const { analysis, modules, score } = parts;
  const explanation = await explainRow(input, {
    score: (variants) => score(c, variants),
    dissect: (given) => analysis.dissect(given, c.req.raw.signal),
    modules,
    whole: byText.score,
  });
  return "error" in explanation ? { id, ...explanation } : { id, ...result, ...explanation };
}
