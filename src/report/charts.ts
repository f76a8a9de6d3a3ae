/** Charts of a few named values: grouped bars, and radars. */
import * as Plot from "@observablehq/plot";
import { color, domainOf, draw, frame, hint, legendOf, stroke } from "./draw.ts";
import type { Drawing } from "./html.ts";
import { type Estimated, fixed } from "./tables.ts";

/** The value of a series in a group, both given by index. */
export interface Bar {
  readonly group: number;
  readonly series: number;
  readonly value: Estimated;
}

/** The values of every group and series, with the labels. */
export interface Groups {
  /** Describes the chart in words. */
  readonly label: string;
  /** Label of the value axis. */
  readonly y: string;
  readonly groups: readonly string[];
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
}

/** Bars side by side in each group, with their intervals. A missing value has no bar. */
export function barChart({ label, y, groups, series, bars }: Groups): Drawing {
  const points = bars.flatMap(({ group, series: place, value: { value, low, high } }) => {
    if (value === null) return [];
    const title = `${hint(groups[group]!)}, ${hint(series[place]!)}: ${fixed(value)}`;
    return [{ group, place, value, low, high, title, fill: color(place) }];
  });
  const ends = points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const tilted = groups.length * Math.max(...groups.map((name) => name.length)) > 40;
  return draw(
    `${label} ${points.map(({ title }) => title).join("; ")}.`,
    {
      marginTop: 30,
      ...(tilted && { marginBottom: 90 }),
      fx: {
        domain: groups.map((_, i) => i),
        label: null,
        tickFormat: (i: number) => hint(groups[i]!),
        padding: 0.15,
        ...(tilted && { tickRotate: -28 }),
        axis: "bottom",
      },
      x: { domain: series.map((_, i) => i), axis: null, padding: 0.1 },
      y: { label: y, ...domainOf(ends) },
      color: { type: "identity" },
      marks: [
        frame[1]!,
        Plot.barY(points, { fx: "group", x: "place", y: "value", fill: "fill", fillOpacity: 0.85, title: "title" }),
        Plot.ruleX(
          points.filter(({ low, high }) => low !== null && high !== null),
          { fx: "group", x: "place", y1: "low", y2: "high", stroke: "currentColor", strokeWidth: 1.2 },
        ),
        Plot.ruleY([0], { stroke: "currentColor" }),
      ],
    },
    series.length > 1 ? legendOf(series) : [],
  );
}

/** Minimum number of spokes. Fewer enclose no area. */
export const fewestSpokes = 3;

/** One closed line per series over the spokes, one spoke per group. Spokes go from 0 in the middle to 1. Missing values are left out. */
export function radarChart({ label, groups, series, bars }: Omit<Groups, "y">): Drawing {
  const at = (group: number, value: number): [number, number] => {
    const angle = (2 * Math.PI * group) / groups.length;
    return [value * Math.sin(angle), value * Math.cos(angle)];
  };
  const ring = (value: number): [number, number][] => [...groups.keys(), 0].map((group) => at(group, value));
  const lines = series.map((_, place) => {
    const own = bars
      .filter((bar) => bar.series === place && bar.value.value !== null)
      .sort((a, b) => a.group - b.group)
      .map(({ group, value }) => at(group, Math.min(1, Math.max(0, value.value!))));
    return own.length > 0 ? [...own, own[0]!] : [];
  });
  const words = bars.flatMap(({ group, series: place, value: { value } }) =>
    value === null ? [] : [`${hint(groups[group]!)}, ${hint(series[place]!)}: ${fixed(value)}`],
  );
  const faint = { stroke: "currentColor", strokeOpacity: 0.18 };
  return draw(
    `${label} ${words.join("; ")}.`,
    {
      height: 320,
      marginLeft: 20,
      marginRight: 20,
      marginTop: 20,
      marginBottom: 20,
      x: { domain: [-1.55, 1.55], axis: null },
      y: { domain: [-1.3, 1.3], axis: null },
      marks: [
        ...[0.25, 0.5, 0.75, 1].map((value) => Plot.line(ring(value), faint)),
        ...groups.map((_, group) => Plot.line([[0, 0], at(group, 1)], faint)),
        Plot.text([0.5, 1], {
          x: 0.03,
          y: (value: number) => value - 0.05,
          text: String,
          fontSize: 9,
          fillOpacity: 0.6,
        }),
        ...lines.map((points, place) => Plot.line(points, stroke(place))),
        ...lines.map((points, place) => Plot.dot(points, { r: 2.5, fill: color(place) })),
        Plot.text(
          groups.map((name, group) => ({
            at: [1.12 * at(group, 1.16)[0], at(group, 1.16)[1]] as [number, number],
            name: hint(name),
          })),
          { x: (d: { at: [number, number] }) => d.at[0], y: (d: { at: [number, number] }) => d.at[1], text: "name" },
        ),
      ],
    },
    legendOf(series),
  );
}
