/** Summaries of round trips as tables, for the report and for the comparison of models. */
import type { Cell, Estimated, NamedTable } from "../../report/index.ts";
import type { EditingSummary } from "../editing/editing.ts";
import type { SupervisedSummary } from "../editing/supervised.ts";
import type { IdentitySummary } from "../identity/summary.ts";
import { chainLegend, nameInTables } from "../identity/words.ts";
import { ORACLE_HEAD, oracleCounts, oracleRates } from "../patched/oracle-words.ts";
import type { PatchedSummary } from "../patched/patched.ts";
import type { ProjectSummary } from "../synthesis/project-run.ts";
import type { Estimate } from "../trip/arithmetic.ts";
import type { RtcSummary } from "../trip/summary.ts";
import { wordsOf } from "../trip/words.ts";
import { type AnySummary, isIdentity } from "./finished.ts";

export const estimated = (estimate: Estimate | null): Estimated => ({
  value: estimate?.value ?? null,
  low: estimate?.interval?.[0] ?? null,
  high: estimate?.interval?.[1] ?? null,
});

export const labels = (...names: string[]): { label: string }[] => names.map((label) => ({ label }));

/** Every table of a run's summary. */
export function summaryTables(summary: AnySummary): NamedTable[] {
  if (isIdentity(summary)) {
    const words = summary.descriptions ?? [];
    return [
      stepsTable(summary),
      chainsTable(summary.similarities),
      ...(words.length > 0 ? [descriptionsTable(words)] : []),
      ...agreementTables(summary),
    ];
  }
  return [
    rtcTable(summary),
    ...agreementTables(summary),
    ...("project" in summary ? [timesTable(summary as ProjectSummary)] : []),
    ...("lengths" in summary ? editingTables(summary as EditingSummary) : []),
    ...("oracle" in summary ? oracleTables(summary as PatchedSummary) : []),
  ];
}

/** Leaves out columns that the task cannot fill. */
function rtcTable({ task, similarities, repeats }: RtcSummary): NamedTable {
  const { item, lifts } = wordsOf(task);
  const hasSigma = lifts || similarities.some(({ sigma }) => sigma !== null);
  const over = repeats > 1 ? `${repeats} whole runs` : "repeated runs, estimated from the forward samples of this one";
  return {
    name: "rtc",
    title: "Round-trip correctness",
    note: [
      `[low, high]: 95% interval, bootstrapped over ${item[1]}.`,
      "share >= threshold: samples whose similarity is at least `threshold`.",
      ...(similarities.some(({ sigma }) => sigma !== null) ? [`sigma: standard deviation of RTC over ${over}.`] : []),
      ...(lifts ? ["Lift: RTC minus the baseline, whose description is uninformative."] : []),
    ].join(" "),
    table: {
      columns: labels(
        ...["similarity", "RTC"],
        ...(hasSigma ? ["sigma"] : []),
        ...(lifts ? ["lift", "baseline"] : []),
        ...["share >= threshold", "threshold"],
      ),
      rows: similarities.map(({ name, rtc, sigma, lift, baseline, share_above: share, threshold }) => [
        name,
        estimated(rtc),
        ...(hasSigma ? [sigma?.value ?? null] : []),
        ...(lifts ? [estimated(lift), estimated(baseline)] : []),
        estimated(share),
        threshold,
      ]),
    },
  };
}

const AGREEMENT =
  "r_s: Spearman's, over samples. same decision: share of samples on which both similarities are at least their thresholds, or neither; kappa: Cohen's, of the same.";

function agreementTables({ agreement }: AnySummary): NamedTable[] {
  if (agreement.length === 0) return [];
  const rows = agreement.map(({ a, b, pairs, spearman, accuracy, kappa }): Cell[] => [
    `${nameInTables(a)} and ${nameInTables(b)}`,
    pairs,
    spearman,
    accuracy,
    kappa,
  ]);
  const [first, , ...rest] = labels("similarities", "samples", "r_s", "same decision", "kappa");
  const columns = [first!, { label: "samples", digits: 0 }, ...rest];
  return [{ name: "agreement", title: "Agreement of similarities", note: AGREEMENT, table: { columns, rows } }];
}

const timesTable = ({ project }: ProjectSummary): NamedTable => ({
  name: "times",
  title: "Time per candidate, and how well passing candidates are recognised",
  table: {
    columns: [
      ...labels("similarity", "AUC of pass"),
      { label: "CPU time (s)", digits: 4 },
      { label: "wall time (s)", digits: 4 },
      { label: "candidates timed", digits: 0 },
    ],
    rows: project.times.map(({ name, pairs, median_cpu_s: cpu, median_wall_s: wall }) => [
      name,
      project.auc_of_pass[name] ?? null,
      cpu,
      wall,
      pairs,
    ]),
  },
});

const editingTables = ({ lengths, supervised }: EditingSummary): NamedTable[] => [
  {
    name: "lengths",
    title: "Length and round-trip correctness",
    note: "Mean characters of the new code, for edits with an RTC above 0 and with an RTC of 0; r_s of length and RTC.",
    table: {
      columns: [
        { label: "similarity" },
        ...["above 0", "zero"].flatMap((name) => [
          { label: `edits ${name}`, digits: 0 },
          { label: `characters, ${name}`, digits: 1 },
        ]),
        { label: "r_s" },
      ],
      rows: lengths.map(({ sim, above, above_characters: some, zero, zero_characters: none, spearman }) => [
        ...[sim, above, some, zero, none, spearman],
      ]),
    },
  },
  ...(supervised === null ? [] : [supervisedTable(supervised)]),
];

const supervisedTable = ({ description_bleu, sampled_bleu, from_comment }: SupervisedSummary): NamedTable => ({
  name: "supervised",
  title: "Against the comments that people wrote",
  note: "Edit to text: sentence BLEU against the person's comment. Text to edit: what the backward model makes of the comment.",
  table: {
    columns: [{ label: "measure" }, { label: "edits", digits: 0 }, { label: "mean" }],
    rows: [
      ["edit to text: greedy description", description_bleu] as const,
      ["edit to text: sampled descriptions", sampled_bleu] as const,
      ...from_comment.map(({ name, value }) => [`text to edit: ${name}`, value] as const),
    ].map(([name, value]) => [name, value?.problems ?? 0, estimated(value)]),
  },
});

function oracleTables({ oracle }: PatchedSummary): NamedTable[] {
  if (oracle === null) return [];
  return [
    {
      name: "oracle",
      title: "Share of responses that the oracle accepts",
      note: `The oracle: ${oracle.command}. ${oracleCounts(oracle)}.`,
      table: {
        columns: [{ label: ORACLE_HEAD }, { label: "queries", digits: 0 }, { label: "rate" }],
        rows: oracleRates(oracle).map(([name, rate]) => [name, rate?.problems ?? 0, estimated(rate)]),
      },
    },
  ];
}

const stepsTable = ({ steps, pass_at_1: pass }: IdentitySummary): NamedTable => ({
  name: "steps",
  title: "Chains",
  note: `Pass@1 ${pass === null ? "is not known" : pass.value.toFixed(3)}. ${chainLegend().join(" ")}`,
  table: {
    columns: [{ label: "step", digits: 0 }, ...labels("SC", "SSC", "TOM", "P/F match")],
    rows: steps.map(({ step, sc, ssc, tom, pass_fail_match: match }) => [
      step,
      ...[sc, ssc, tom, match].map((estimate) => estimated(estimate)),
    ]),
  },
});

const descriptionsTable = (descriptions: IdentitySummary["descriptions"]): NamedTable => ({
  ...chainsTable(descriptions),
  name: "descriptions",
  title: "Metrics of descriptions against execution",
  note: "The metric compares each description with the one before. TOM and P/F match compare the programs before and after it.",
});

const chainsTable = (similarities: IdentitySummary["similarities"]): NamedTable => ({
  name: "similarities",
  title: "Similarities against execution",
  note: `Correlation with TOM and P/F match: r_s is Spearman's, r Pearson's, tau Kendall's. ${chainLegend(["TOM", "P/F match"]).join(" ")}`,
  table: {
    columns: labels("similarity", "mean", "r_s TOM", "r TOM", "tau TOM", "kappa TOM", "r_s P/F match", "AUC P/F match"),
    rows: similarities.map(({ name, mean, tom, pass_fail_match: match }) => [
      name,
      estimated(mean),
      ...[tom.spearman, tom.pearson, tom.kendall, tom.kappa, match.spearman, match.auc],
    ]),
  },
});
