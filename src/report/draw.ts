/**
 * Shared parts of a report's plots. Observable Plot draws into linkedom's document, without a browser. Colours are CSS variables
 * of the page (`style.ts`), so one drawing works in the light and the dark theme.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { Random } from "../util/random.ts";
import { type Drawing, type LegendEntry, visible } from "./html.ts";

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/** Number of series colours that the page defines. Further series repeat them with other dashes. */
const COLORS = 6;
/** Line patterns, by `LegendEntry.dash`. */
export const DASHES = ["none", "7 4", "2 3"] as const;

export const color = (series: number): string => `var(--series-${(series % COLORS) + 1})`;

/** The line style of a series. The first series stands out. */
export const stroke = (series: number): Plot.LineOptions => ({
  stroke: color(series),
  strokeWidth: series === 0 ? 2.5 : 1.5,
  strokeDasharray: DASHES[Math.floor(series / COLORS) % DASHES.length]!,
});

export const legendOf = (names: readonly string[]): LegendEntry[] =>
  names.map((name, series) => ({ name, color: color(series), dash: Math.floor(series / COLORS) % DASHES.length }));

/** Maximum number of points in a scatter plot. More would hide each other and make the file large. */
export const MOST_POINTS = 2500;

/** At most `most` of the indices below n, in order. They are drawn at random, but the same ones each time. */
export function sample(n: number, most = MOST_POINTS): number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  if (n <= most) return all;
  return new Random(1)
    .shuffle(all)
    .slice(0, most)
    .sort((a, b) => a - b);
}

/** About 300 points of a line, including the first and the last. The eye cannot see more. */
export function thin<T>(points: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(points.length / 300));
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

/** A name from data, shortened and safe to show as a point's hint or an axis label. */
export const hint = (name: string): string => visible(name.length > 80 ? `${name.slice(0, 79)}…` : name);

export const unit = { domain: [0, 1] };

/** Allows for rounding, because BLEU may be slightly above 1. */
export const inUnit = (values: readonly number[]): boolean =>
  values.every((value) => value >= -1e-9 && value <= 1 + 1e-9);

/** Values outside [0, 1] keep their own scale. */
export const domainOf = (values: readonly number[]): { domain?: number[] } => (inUnit(values) ? unit : {});

/** Draws a plot. @param label describes the plot in words */
export function draw(label: string, options: Plot.PlotOptions, legend: readonly LegendEntry[] = []): Drawing {
  const named = (axis: Plot.ScaleOptions | undefined): Plot.ScaleOptions =>
    typeof axis?.label === "string" ? { ...axis, label: hint(axis.label) } : (axis ?? {});
  const drawn = Plot.plot({
    // About as wide as a card, so that text is not scaled.
    width: 350,
    height: 262,
    marginLeft: 40,
    marginTop: 26,
    marginBottom: 42,
    style: { fontSize: "12px" },
    ...options,
    x: { labelAnchor: "center", labelArrow: "none", ...named(options.x) },
    y: { labelArrow: "none", ...named(options.y) },
    document: document as unknown as NonNullable<Plot.PlotOptions["document"]>,
  }) as unknown as {
    readonly outerHTML: string;
    setAttribute(name: string, value: string): void;
  };
  drawn.setAttribute("aria-hidden", "true"); // screen readers read the label instead
  return { svg: drawn.outerHTML, label, legend };
}

export const frame = [
  Plot.gridX({ stroke: "currentColor", strokeOpacity: 0.1 }),
  Plot.gridY({ stroke: "currentColor", strokeOpacity: 0.1 }),
];

export const diagonal = Plot.line(
  [
    [0, 0],
    [1, 1],
  ],
  { stroke: "currentColor", strokeOpacity: 0.45, strokeDasharray: "4 4" },
);
