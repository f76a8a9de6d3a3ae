/** The method `evaluate` of a session: `codescore evaluate --format json` for files that both sides can reach. */
import type { CodeScorer } from "../../score/index.ts";
import type { Method } from "../../server/index.ts";
import { writeAtomic } from "../../util/files.ts";
import { reportPage } from "../evaluate/report.ts";
import { metricsOf } from "../options/metrics.ts";
import { integerParam, onlyParams, optional, pathsParam, textParam } from "./params.ts";

/** If no `scores` are given, scores with the session's model. */
export const evaluateMethod =
  (scorer: CodeScorer): Method =>
  async ({ params }) => {
    onlyParams(params, ["data", "scores", "metrics", "resamples", "seed", "report"]);
    const data = textParam(params, "data");
    const scores = optional(params, "scores", (name) => pathsParam(params, name)) ?? [];
    const names = optional(params, "metrics", (name) => textParam(params, name)) ?? "none";
    const resamples = optional(params, "resamples", (name) => integerParam(params, name, 1)) ?? 1000;
    const seed = optional(params, "seed", (name) => integerParam(params, name, 0)) ?? 1;
    const report = optional(params, "report", (name) => textParam(params, name));
    const { evaluate, metricColumn, readRows, readScoreColumns, scorerColumn, toJson } = await import(
      "../../evaluate/index.ts"
    );
    const metrics = await metricsOf(names === "none" ? undefined : names, {}, data);
    const rows = await readRows(data);
    const columns = [...(await readScoreColumns(scores, rows))];
    if (columns.length === 0) columns.push(await scorerColumn(scorer, rows, "codescore", false));
    for (const metric of metrics) columns.push(await metricColumn(metric, rows));
    const result = evaluate({ rows, columns, resamples, seed });
    if (report !== undefined) await writeAtomic(report, await reportPage({ data, seed }, result));
    return JSON.parse(toJson(result)) as object;
  };
