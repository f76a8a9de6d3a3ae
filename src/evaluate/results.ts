/** Tables of comparisons and estimates (for evaluations see measure/tables.ts), and any result as JSON. */

import type { Table } from "../report/tables.ts";
import type { EstimateResult } from "./estimate/estimated.ts";
import type { MeanEstimate } from "./estimate/powered.ts";
import type { Difference } from "./measure/compare.ts";

interface Compared {
  readonly a: { readonly name: string };
  readonly b: { readonly name: string };
  readonly measures: readonly (Omit<Difference, "measure"> & { readonly measure: string })[];
}

export function comparisonTable({ a, b, measures }: Compared): Table {
  return {
    columns: [
      { label: "measure" },
      { label: `A: ${a.name}` },
      { label: `B: ${b.name}` },
      { label: "B - A" },
      { label: "p" },
    ],
    rows: measures.map((m) => [m.measure, m.a, m.b, { value: m.difference, low: m.low, high: m.high }, m.pValue]),
  };
}

/** One row per measure and estimator. `all labels` is the mean that is estimated; the column is left out unless every label is known. */
export function estimateTable({ measures }: EstimateResult): Table {
  const known = measures.some(({ all }) => all !== null);
  return {
    columns: [
      { label: "measure" },
      { label: "from" },
      { label: "estimate" },
      { label: "low" },
      { label: "high" },
      { label: "width" },
      { label: "weight" },
      ...(known ? [{ label: "all labels" }] : []),
    ],
    rows: measures.flatMap(({ measure, plain, powered, behaviour, all }) => {
      const row = (from: string, { estimate, low, high }: MeanEstimate, lambda: number | null) => [
        ...[measure, from, estimate, low, high, high - low, lambda, ...(known ? [all] : [])],
      ];
      return [
        row("executions", plain, null),
        row("with scores", powered, powered.lambda),
        ...(behaviour ? [row("with behaviour", behaviour, behaviour.lambdaBehaviour!)] : []),
      ];
    }),
  };
}

/** Any result of this folder as JSON, with unrounded numbers. The rows behind an evaluation are left out. */
export function toJson(result: object): string {
  const { data: _rows, ...rest } = result as { data?: unknown };
  return JSON.stringify(rest, null, 2);
}
