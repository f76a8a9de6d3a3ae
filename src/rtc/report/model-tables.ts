/** A comparison of models as tables. */
import type { Cell, NamedTable, TableColumn } from "../../report/index.ts";
import { chainLegend } from "../identity/words.ts";
import type { Estimate } from "../trip/arithmetic.ts";
import { wordsOf } from "../trip/words.ts";
import type { ModelComparison } from "./models.ts";
import { type ChainTable, type EditingRow, type PatchflowRow, unique } from "./side-by-side.ts";
import { estimated, labels } from "./tables.ts";

/** The tables of `compareModels`: the table of the task first, then the correlations and every model. */
export function modelTables({ task, correlations, rows, chains, edits, patchflows }: ModelComparison): NamedTable[] {
  const { item, lifts } = wordsOf(task);
  const hasSettings = rows.some(({ setting }) => setting !== null);
  /** Adds the column of the setting only if runs have one. */
  const settled = (first: readonly TableColumn[], rest: readonly TableColumn[]): TableColumn[] => [
    ...first,
    ...(hasSettings ? labels("patchflow") : []),
    ...rest,
  ];
  const setting = (text: string | null): Cell[] => (hasSettings ? [text] : []);
  return [
    ...(chains ? [identityTable(chains)] : []),
    ...(edits.length > 0 ? [editingTable(edits)] : []),
    ...(patchflows.length > 0 ? [patchflowTable(patchflows)] : []),
    ...(correlations.some(({ models }) => models > 0)
      ? [
          {
            name: "correlation",
            title: `RTC (${task}) and pass@1 across models`,
            table: {
              columns: settled(labels("similarity"), [
                ...labels("correlated"),
                { label: "models", digits: 0 },
                { label: "Pearson r" },
                { label: "p of r", digits: 4 },
                { label: "Spearman r_s" },
                { label: "p of r_s", digits: 4 },
                { label: "Kendall tau-b" },
              ]),
              rows: correlations.map((one) => [
                one.similarity,
                ...setting(one.setting),
                one.of,
                one.models,
                { value: one.pearson, low: one.interval?.[0] ?? null, high: one.interval?.[1] ?? null },
                one.pearson_p,
                one.spearman,
                one.spearman_p,
                one.kendall,
              ]),
            },
          },
        ]
      : []),
    {
      name: "models",
      title: "Every model",
      note: `Brackets: 95% interval over ${item[1]}.${sigmaNote(rows)}`,
      table: {
        columns: settled(
          labels("similarity", "model"),
          labels("RTC", "sigma", ...(lifts ? ["lift"] : []), "share >= threshold", "pass@1", "pass@1 from"),
        ),
        rows: rows.map((row) => [
          row.similarity,
          row.model,
          ...setting(row.setting),
          estimated(row.rtc),
          row.sigma?.value ?? null,
          ...(lifts ? [estimated(row.lift)] : []),
          estimated(row.share),
          row.pass_at_1 === null
            ? null
            : {
                value: row.pass_at_1.value,
                low: row.pass_at_1.interval?.[0] ?? null,
                high: row.pass_at_1.interval?.[1] ?? null,
              },
          row.pass_at_1?.source ?? "-",
        ]),
      },
    },
  ];
}

/** Explains sigma. If a run was made only once, sigma is an estimate. */
function sigmaNote(rows: ModelComparison["rows"]): string {
  const of = new Set(rows.flatMap(({ sigma }) => sigma?.of ?? []));
  if (of.size === 0) return " No sigma: no run has two descriptions of an item that are drawn at random.";
  const estimated = of.has("repeats")
    ? "; where a run was made once, estimated from its forward samples"
    : ", estimated from the forward samples of each run";
  const without = rows.some(({ sigma }) => sigma === null) ? "; - where nothing was drawn twice" : "";
  return ` sigma: standard deviation of RTC over repeated runs${of.has("forward samples") ? estimated : ""}${without}.`;
}

const identityTable = ({ step: n, rows }: ChainTable): NamedTable => ({
  name: "identity",
  title: "IdentityChain",
  note: `A number after a name is the step. ${chainLegend(["SC", "SSC", "TOM"]).join(" ")} Decline: (Pass@1 - SSC_${n}) / Pass@1.`,
  table: {
    columns: [
      { label: "model" },
      { label: "chains", digits: 0 },
      { label: "Pass@1", best: "highest" },
      { label: `SSC_${n}`, best: "highest" },
      { label: "SC_1", best: "highest" },
      ...(n > 1 ? [{ label: `SC_${n}`, best: "highest" } as const] : []),
      { label: "TOM_1", best: "highest" },
      ...(n > 1 ? [{ label: `TOM_${n}`, best: "highest" } as const] : []),
      { label: "decline" },
    ],
    rows: rows.map((row) => [
      row.model,
      row.chains,
      ...[row.pass_at_1, row.ssc_n, row.sc_1, ...(n > 1 ? [row.sc_n] : []), row.tom_1].map(estimated),
      ...(n > 1 ? [estimated(row.tom_n)] : []),
      row.decline,
    ]),
  },
});

/** Table 3 of Allamanis et al. 2024: one row per measure, one column per model. */
function editingTable(rows: readonly EditingRow[]): NamedTable {
  const similarities = unique(rows.flatMap(({ rtc }) => rtc.map(({ similarity }) => similarity)));
  const made = unique(rows.flatMap(({ from_comment }) => from_comment.map(({ name }) => name)));
  const line = (name: string, of: (row: EditingRow) => Estimate | null): Cell[] => [
    name,
    ...rows.map((row) => estimated(of(row))),
  ];
  const rtcOf = (row: EditingRow, name: string) => row.rtc.find(({ similarity }) => similarity === name);
  return {
    name: "editing",
    title: "Edits",
    ...(made.length > 0 && {
      note: "Edit to text: sentence BLEU of greedy descriptions against people's comments. Text to edit: greedy edits from the comments.",
    }),
    table: {
      columns: labels("", ...rows.map(({ model }) => model)),
      rows: [
        ...similarities.flatMap((name) => [
          line(`RTC ${name}`, (row) => rtcOf(row, name)?.rtc ?? null),
          line(`lift ${name}`, (row) => rtcOf(row, name)?.lift ?? null),
        ]),
        ...(made.length > 0 ? [line("edit to text: bleu-13a", (row) => row.description_bleu)] : []),
        ...made.map((name) =>
          line(`text to edit: ${name}`, (row) => row.from_comment.find((one) => one.name === name)?.value ?? null),
        ),
      ],
    },
  };
}

function patchflowTable(rows: readonly PatchflowRow[]): NamedTable {
  const has = (of: (row: PatchflowRow) => unknown): boolean => rows.some((row) => of(row) !== null);
  const consistent = has((row) => row.consistent);
  const oracle = has((row) => row.oracle_plain ?? row.oracle_consistent);
  return {
    name: "patchflows",
    title: "Patchflows",
    note: `Share of responses that survive the round trip${consistent ? ", without and with the consistency prompt" : ""}${oracle ? "; the oracle's rate of the same responses" : ""}.`,
    table: {
      columns: [
        ...labels("similarity", "model", "patchflow", "threshold", "passes"),
        ...(consistent ? labels("consistency prompt", "gain") : []),
        ...(oracle ? labels("oracle") : []),
        ...(oracle && consistent ? labels("oracle, consistency prompt") : []),
      ],
      rows: rows.map((row) => [
        ...[row.similarity, row.model, row.patchflow, row.threshold, estimated(row.plain)],
        ...(consistent ? [estimated(row.consistent), row.gain] : []),
        ...(oracle ? [estimated(row.oracle_plain)] : []),
        ...(oracle && consistent ? [estimated(row.oracle_consistent)] : []),
      ]),
    },
  };
}
