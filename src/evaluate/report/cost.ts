/** The section of the report with the cascade's curves: the benefit of executing some of the programs. */
import type { CascadePoint, CascadeResult } from "../estimate/cascade.ts";
import type { Line } from "./curves.ts";
import type { ReportSection } from "./sections.ts";

const MEASURES = [
  { title: "Accuracy by share executed", y: "right predictions", of: ({ accuracy }: CascadePoint) => accuracy },
  { title: "Error by share executed", y: "MAE", of: ({ mae }: CascadePoint) => mae },
  { title: "Correlation by share executed", y: "Spearman r_s", of: ({ spearman }: CascadePoint) => spearman },
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
    note: "The programs whose score is least sure are executed; the others keep their score. Right predictions: whether a program passes every test. MAE, r_s: of the score or, where executed, the PassRatio. The oracle executes first where the scores are wrong.",
    plots: MEASURES.map(({ title, y, of }) => ({ title, x: "share of programs executed", y, lines: lines(of) })),
  };
}
