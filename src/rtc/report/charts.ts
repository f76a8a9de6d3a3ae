/** The charts of a run, and of several models side by side. */
import * as Plot from "@observablehq/plot";
import { barChart, fewestSpokes, type Groups, radarChart } from "../../report/charts.ts";
import { color, draw, frame, hint, legendOf, sample, stroke, unit } from "../../report/draw.ts";
import type { Drawing } from "../../report/html.ts";
import type { Chart, Estimated } from "../../report/index.ts";
import { fixed } from "../../report/tables.ts";
import { counted } from "../../util/counted.ts";
import type { EditingSummary } from "../editing/editing.ts";
import type { StepSummary } from "../identity/summary.ts";
import { lengthPoints } from "../trip/lengths.ts";
import type { SampleRow } from "../trip/rows.ts";
import { type AnySummary, isIdentity } from "./finished.ts";
import type { ModelComparison, ModelRow } from "./models.ts";
import { type ChainTable, type PatchflowRow, unique } from "./side-by-side.ts";
import { estimated } from "./tables.ts";

/**
 * The charts of a run.
 * @param samples rows of samples.jsonl, for charts of single problems
 */
export function runCharts(summary: AnySummary, samples: readonly SampleRow[] = []): Chart[] {
  if (isIdentity(summary)) {
    const { steps } = summary;
    const lines = (["sc", "ssc", "tom", "pass_fail_match"] as const).map((of) => steps.map((step) => step[of]));
    const drawing = stepLines("Chains by step.", "share or mean", ["SC", "SSC", "TOM", "P/F match"], lines);
    return [{ name: "steps", title: "Chains, step by step", caption: "Lines fall where programs change.", drawing }];
  }
  const { similarities } = summary;
  const hasBaseline = similarities.some(({ baseline }) => baseline !== null);
  const drawing = barChart({
    label: "Round-trip correctness by similarity.",
    y: "RTC",
    groups: similarities.map(({ name }) => name),
    series: ["RTC", ...(hasBaseline ? ["baseline"] : [])],
    bars: similarities.flatMap(({ rtc, baseline }, group) => [
      { group, series: 0, value: estimated(rtc) },
      { group, series: 1, value: estimated(baseline) },
    ]),
  });
  const caption = hasBaseline ? "Lift is RTC minus the baseline, whose description is uninformative." : "";
  return [
    { name: "rtc", title: "Round-trip correctness", caption, drawing },
    ...("lengths" in summary ? lengthCharts(summary as EditingSummary, samples) : []),
  ];
}

/** Scatter plots with one point per edit: its length and its RTC. */
function lengthCharts({ similarities }: EditingSummary, samples: readonly SampleRow[]): Chart[] {
  return similarities.flatMap(({ name }): Chart[] => {
    const points = lengthPoints(samples, name);
    if (points.length < 2) return [];
    const shown = sample(points.length).map((k) => ({ ...points[k]!, title: hint(points[k]!.task) }));
    const drawing = draw(`RTC by ${hint(name)} and characters of the new code, ${counted(points.length, "edit")}.`, {
      x: { label: "characters of the new code" },
      y: { label: `RTC (${name})`, domain: [-0.02, 1.02] },
      marks: [
        ...frame,
        Plot.dot(shown, { x: "characters", y: "rtc", r: 3, fill: color(0), fillOpacity: 0.5, title: "title" }),
      ],
    });
    return [{ name: named("lengths", name), title: `Length and RTC by ${name}`, caption: "", drawing }];
  });
}

/** The charts of a comparison by `compareModels`. */
export const modelCharts = (comparison: ModelComparison): Chart[] => [
  ...(comparison.chains ? chainCharts(comparison.chains) : []),
  ...patchflowCharts(comparison.patchflows),
  ...(comparison.patchflows.length > 0 ? [] : rtcCharts(comparison)),
];

/** A file name that says what the chart shows, e.g. `models-chrf`. */
const named = (...parts: readonly string[]): string =>
  parts.map((part) => part.replace(/[^\p{L}\p{N}_.]+/gu, "-")).join("-");

function chainCharts({ step: n, rows, curves }: ChainTable): Chart[] {
  const models = rows.map(({ model }) => model);
  const measures = ["Pass@1", `SSC_${n}`, "SC_1", ...(n > 1 ? [`SC_${n}`] : []), "TOM_1"];
  const bars = rows.flatMap((row, series) =>
    [row.pass_at_1, row.ssc_n, row.sc_1, ...(n > 1 ? [row.sc_n] : []), row.tom_1].map((value, group) => {
      return { group, series, value: estimated(value) };
    }),
  );
  const line = (of: "sc" | "ssc" | "tom", name: string): Chart => ({
    name: `identity-${of}`,
    title: `${name} by step`,
    caption: "",
    drawing: stepLines(
      `${name} by step.`,
      name,
      models,
      curves.map(({ steps }) => steps.map((step) => step[of])),
    ),
  });
  const drawing = barChart({ label: "Chains by model.", y: "share", groups: measures, series: models, bars });
  return [
    { name: "identity", title: "Pass@1 and self-consistency", caption: "", drawing },
    line("sc", "SC"),
    line("ssc", "SSC"),
    line("tom", "TOM"),
  ];
}

/** For every similarity: the models as bars and a radar. Also, for every model, without and with the consistency prompt. */
function patchflowCharts(rows: readonly PatchflowRow[]): Chart[] {
  return unique(rows.map(({ similarity }) => similarity)).flatMap((similarity): Chart[] => {
    const own = rows.filter((row) => row.similarity === similarity);
    const [groups, models] = [unique(own.map(({ patchflow }) => patchflow)), unique(own.map(({ model }) => model))];
    const passRate = (model: string, patchflow: string, side: "plain" | "consistent"): Estimated =>
      estimated(own.find((row) => row.model === model && row.patchflow === patchflow)?.[side] ?? null);
    const of = (series: readonly (readonly [name: string, model: string, side: "plain" | "consistent"])[]): Groups => ({
      label: `Share of responses that survive the round trip, by ${hint(similarity)}.`,
      y: "passes",
      groups,
      series: series.map(([name]) => name),
      bars: series.flatMap(([, model, side], place) =>
        groups.map((flow, group) => ({ group, series: place, value: passRate(model, flow, side) })),
      ),
    });
    const isBoth = own.some(({ consistent }) => consistent !== null) && own.some(({ plain }) => plain !== null);
    const side = own.some(({ plain }) => plain !== null) ? "plain" : "consistent";
    const words = side === "plain" ? "" : ", with the consistency prompt";
    const plain = of(models.map((model) => [model, model, side] as const));
    const both = models.map((model): readonly [string, Groups] => [
      model,
      of([
        [model, model, "plain"],
        [`${model}, consistency prompt`, model, "consistent"],
      ]),
    ]);
    const chart = (name: string, title: string, drawing: Drawing): Chart => ({ name, title, caption: "", drawing });
    const isRound = groups.length >= fewestSpokes;
    return [
      chart(named("patchflows", similarity), `Patchflows by ${similarity}${words}`, barChart(plain)),
      ...(isRound
        ? [chart(named("patchflows-radar", similarity), `Patchflows by ${similarity}${words}`, radarChart(plain))]
        : []),
      ...(isBoth
        ? both.flatMap(([model, groupsOf]) => [
            chart(
              named("consistency", model, similarity),
              `${model}: the consistency prompt, ${similarity}`,
              barChart(groupsOf),
            ),
            ...(isRound
              ? [
                  chart(
                    named("consistency-radar", model, similarity),
                    `${model}: the consistency prompt, ${similarity}`,
                    radarChart(groupsOf),
                  ),
                ]
              : []),
          ])
        : []),
    ];
  });
}

/** For every similarity: RTC, lift and pass@1 of every model, and RTC against pass@1. */
function rtcCharts({ rows, task }: ModelComparison): Chart[] {
  return unique(rows.map(({ similarity }) => similarity)).flatMap((similarity): Chart[] => {
    const own = rows.filter((row) => row.similarity === similarity);
    const passOf = ({ pass_at_1: pass }: ModelRow): Estimated => ({
      value: pass?.value ?? null,
      low: pass?.interval?.[0] ?? null,
      high: pass?.interval?.[1] ?? null,
    });
    const all: readonly (readonly [string, (row: ModelRow) => Estimated])[] = [
      [task === "identity" ? "mean" : "RTC", (row) => estimated(row.rtc)],
      ["lift", (row) => estimated(row.lift)],
      ["pass@1", passOf],
    ];
    const series = all.filter(([, of]) => own.some((row) => of(row).value !== null));
    const bars = own.flatMap((row, group) => series.map(([, of], place) => ({ group, series: place, value: of(row) })));
    const drawing = barChart({
      label: `Models by ${hint(similarity)}.`,
      y: "share or mean",
      groups: own.map(({ model }) => model),
      series: series.map(([name]) => name),
      bars,
    });
    const points = own.flatMap(({ model, rtc, pass_at_1: pass }) =>
      rtc && pass ? [{ rtc: rtc.value, pass: pass.value, model: hint(model) }] : [],
    );
    const title = `Models by ${similarity}`;
    return [
      { name: named("models", similarity), title, caption: "", drawing },
      ...(points.length > 1
        ? [
            {
              name: named("pass-at-1", similarity),
              title: `${title} and pass@1`,
              caption: "",
              drawing: scatter(similarity, points),
            },
          ]
        : []),
    ];
  });
}

function scatter(
  similarity: string,
  points: readonly { readonly rtc: number; readonly pass: number; readonly model: string }[],
): Drawing {
  const words = points.map(({ model, rtc, pass }) => `${model} ${fixed(pass)} and ${fixed(rtc)}`);
  return draw(`RTC by ${hint(similarity)} against pass@1: ${words.join("; ")}.`, {
    x: { label: "pass@1", ...unit },
    y: { label: `RTC (${similarity})`, ...unit },
    marks: [
      ...frame,
      Plot.dot(points, { x: "pass", y: "rtc", r: 4, fill: color(0) }),
      Plot.text(points, { x: "pass", y: "rtc", text: "model", dy: -9, fontSize: 10 }),
    ],
  });
}

/** One line per series over the steps of chains, from step 1. */
function stepLines(
  label: string,
  y: string,
  series: readonly string[],
  lines: readonly (readonly StepSummary["sc"][])[],
): Drawing {
  const most = Math.max(1, ...lines.map((line) => line.length));
  const points = lines.map((line) => line.flatMap((value, i) => (value ? [{ step: i + 1, value: value.value }] : [])));
  const words = points.map((line, i) => `${hint(series[i]!)}: ${line.map(({ value }) => fixed(value)).join(", ")}`);
  return draw(
    `${label} ${words.join("; ")}.`,
    {
      x: {
        label: "step",
        domain: [1, Math.max(2, most)],
        ticks: Array.from({ length: most }, (_, i) => i + 1),
        tickFormat: "d",
      },
      y: { label: y, ...unit },
      marks: [
        ...frame,
        ...points.map((line, i) => Plot.line(line, { x: "step", y: "value", ...stroke(i) })),
        ...points.map((line, i) => Plot.dot(line, { x: "step", y: "value", r: 3, fill: color(i) })),
      ],
    },
    legendOf(series),
  );
}
