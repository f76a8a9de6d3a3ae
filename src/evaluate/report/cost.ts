/** The section of the report with the cascade's curves: the benefit of executing some of the programs. */
import type { CascadePoint, CascadeResult } from "../estimate/cascade.ts";
import type { Line } from "./curves.ts";
import type { ReportSection } from "./sections.ts";

const MEASURES = [
  { title: "Cost and accuracy", y: "right decisions", of: ({ accuracy }: CascadePoint) => accuracy },
  { title: "Cost and error", y: "MAE", of: ({ mae }: CascadePoint) => mae },
  { title: "Cost and correlation", y: "Spearman r_s", of: ({ spearman }: CascadePoint) => spearman },
] as const;

/** One line per scorer that executes where it is unsure, and for comparison the random choice and the oracle of the first one. */
export function costSection(cascades: readonly CascadeResult[]): ReportSection {
  const lines = (of: (point: CascadePoint) => number | null): Line[] =>
    cascades.flatMap(({ name, curves }, k) =>
      curves
        .filter(({ policy }) => policy === "unsure" || k === 0)
        .map(({ policy, points }) => ({
          name: policy === "unsure" ? name : policy === "random" ? "at random" : `oracle of ${name}`,
          points: points.flatMap((point): [number, number][] => {
            const value = of(point);
            return value === null ? [] : [[point.share, value]];
          }),
        })),
    );
  return {
    kind: "plot-lines",
    title: "Benefit of executing some of the programs",
    note: "The cascade executes the programs whose score is least sure and keeps the score of the others. A right decision says whether a program passes every test; MAE and r_s are those of the score or, where executed, the PassRatio. The oracle executes first where the scores are wrong.",
    plots: MEASURES.map(({ title, y, of }) => ({ title, x: "share of programs executed", y, lines: lines(of) })),
  };
}
