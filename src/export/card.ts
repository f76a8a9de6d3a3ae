/**
 * The model card, `README.md` of a model folder, in the hub's format (YAML front matter, then Markdown). It only uses data in the folder:
 * `config.json` and, if present, `training.json` (TrainingSummary), `metrics.json` (MetricsSummary) and `robustness.json`
 * (RobustnessSummary, from `codescore robustness --card`).
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import {
  architectureOf,
  type ModelConfig,
  type Tensors,
  type TrainingSummary,
  type UniceConfig,
  usesNetwork,
} from "../model/index.ts";
import { loadTokenizer } from "../tokenize/index.ts";
import { counted } from "../util/counted.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";

/** A value, or a value with the bounds of its 95% interval. */
type Figure = number | readonly [value: number, low: number, high: number];

/** `metrics.json`: set -> metric -> value, or set -> what was scored, and how -> metric -> value. */
export type MetricsSummary = Readonly<
  Record<string, Readonly<Record<string, number | Readonly<Record<string, Figure>>>>>
>;

interface Bounded {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The part of `robustness.json` that the card shows. */
export interface RobustnessSummary {
  readonly counts?: { readonly problems: number };
  readonly results?: readonly {
    readonly harmless: readonly { kind: string; variants: number; meanChange: Bounded; p90Change: Bounded }[];
    readonly harmful: readonly { kind: string; mutants: number; drop: Bounded; auc: Bounded }[];
  }[];
}

const MARK = "<!-- written by `codescore export`; remove this line to keep what you write here -->";

/**
 * Writes the card. `tensors`: the network's parameters; null for a folder without one. Null if the folder has a card that a person wrote. Throws
 * `CodescoreError("input")` for an invalid summary file.
 */
export async function writeCard(
  folder: string,
  ...[config, tensors]: readonly [ModelConfig, Tensors] | readonly [Pick<ModelConfig, "codescore">, null]
): Promise<string | null> {
  const path = join(folder, "README.md");
  if ((await exists(path)) && !(await readFile(path, "utf8")).includes(MARK)) return null;
  const training = (await summary(folder, "training.json")) as TrainingSummary;
  const metrics = (await summary(folder, "metrics.json")) as MetricsSummary;
  const robustness = (await summary(folder, "robustness.json")) as RobustnessSummary;
  const marks = await sequenceMarks(folder);
  await writeAtomic(path, modelCard({ ...({ config, tensors } as Model), marks, training, metrics, robustness }));
  return path;
}

const ROBERTA = { start: "<s>", end: "</s>" };

/** The tokens at the start of a sequence and after each part. RoBERTa's if the folder has no tokenizer. */
async function sequenceMarks(folder: string): Promise<typeof ROBERTA> {
  if (!(await exists(join(folder, "tokenizer.json")))) return ROBERTA;
  const tokenizer = await loadTokenizer(folder);
  return { start: tokenizer.nameOf("start"), end: tokenizer.nameOf("end") };
}

async function summary(folder: string, name: string): Promise<object> {
  const path = join(folder, name);
  if (!(await exists(path))) return {};
  const value = await readJson(path);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new CodescoreError("input", `${path}: expected an object, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** Explains how `codescore score` combines the network's output, the rule and the trees. Empty if it uses the network alone. */
function besideText(unice: UniceConfig): string {
  const { rule, trees } = unice;
  if (rule === 0 && trees === 0) return "";
  const parts = usesNetwork(unice) ? [`${Number((1 - rule - trees).toFixed(4))} of \`score\``] : [];
  if (trees > 0)
    parts.push(
      `${trees} of gradient-boosted trees (\`trees.safetensors\`: how often the program has each kind of statement, operator and call, and how much more often than the reference; without a reference ${Number((trees / (1 - rule)).toFixed(2))}, and as much of \`exec\`; 0 if the program is seen to fail without running it)`,
    );
  if (rule > 0)
    parts.push(
      `${rule} of a rule without a network (the similarity of the canonical forms; 0 if the program is seen to fail without running it)`,
    );
  return `
\`codescore score\` gives rows with a reference ${parts.join(" and ")}${rule > 0 ? ", all times a factor for what its code shows (0 if its answers have other types than the reference's, or if it returns nothing; .13 if it reads attributes of its own objects that are never set; .05 to .4 if a statement always fails)" : ""}, then the map of \`calibration.json\` if it exists. ${usesNetwork(unice) ? "Running the network alone gives different scores." : "It does not use the network."}
`;
}

/** A model with a network, or without one. */
type Model =
  | { readonly config: ModelConfig; readonly tensors: Tensors }
  | { readonly config: Pick<ModelConfig, "codescore">; readonly tensors: null };

type ModelCard = Model & {
  /** Tokens at the start of a sequence and after each part. @default RoBERTa's */
  readonly marks?: { readonly start: string; readonly end: string };
  readonly training?: TrainingSummary;
  readonly metrics?: MetricsSummary;
  readonly robustness?: RobustnessSummary;
};

/** The card's text. */
export function modelCard({
  marks = ROBERTA,
  training = {},
  metrics = {},
  robustness = {},
  ...model
}: ModelCard): string {
  const { codescore: unice } = model.config;
  const network = model.tensors && networkText(model.config, model.tensors, marks);
  return `---
${training.license === undefined ? "" : `license: ${JSON.stringify(training.license)}\n`}language:
- en
- code
library_name: codescore
pipeline_tag: text-classification
tags:
- code
- code-evaluation
- python
${network === null ? "" : "- onnx\n- transformers.js\n"}---
${MARK}

# A CodeScore model

Predicts, without running it, which share of its test cases a Python program passes (PassRatio) and whether it gives an
answer on all of them (Executability), given a correct program, a description of the task, or both (Dong et al. 2023,
*CodeScore: Evaluating Code Generation by Learning Code Execution*).

${network?.layout ?? "A rule and gradient-boosted trees, without a network."}

## Use

\`\`\`sh
codescore score --model . --reference reference.py candidate.py
\`\`\`
${network?.inputs ?? ""}${besideText(unice)}${network?.files ?? ""}
## Training data

${trainingText(training)}

## Metrics

${metricsText(metrics)}
${robustnessText(robustness)}
## Limits

- Python only${network === null ? "" : `, and what fits into ${unice.max_length} tokens; the rest of longer inputs is cut`}.
- A score is a prediction. It can be high for a wrong program and low for a right one; where execution is possible and
  safe, execute.
- It is less accurate on programs that differ from its training data.
- It was made to evaluate generated programs, not people, style, security or speed.
`;
}

/** What the card says about the network: its layout, its inputs and outputs, and its files. */
function networkText(
  shape: ModelConfig,
  tensors: Tensors,
  { start, end }: typeof ROBERTA,
): { readonly layout: string; readonly inputs: string; readonly files: string } {
  const { codescore: unice } = shape;
  const parameters = [...tensors.values()].reduce((sum, { data }) => sum + data.length, 0);
  const read = {
    none: "as they are",
    code: "without comments and docstrings",
    names: "without comments and docstrings, with variables renamed in order of appearance",
    canonical:
      "in canonical form (each statement and expression written in one way, without comments and docstrings, with variables renamed in order of appearance)",
  }[unice.normalise];
  const staticMarks = unice.static_marks
    ? "; 1 + its static mark on a token that has one; without marks the scores differ"
    : "";
  return {
    layout: `${architectureOf(shape.model_type).title}'s layout, ${shape.num_hidden_layers} layers of ${shape.hidden_size}, ${shape.num_attention_heads} heads, vocabulary ${shape.vocab_size}; ${parameters.toLocaleString("en")} parameters.`,
    inputs: `
Inputs, int64 [batch, sequence]: \`input_ids\`, \`${start} candidate ${end} reference ${end} description ${end}\`, at most
${unice.max_length} tokens; a part that is missing ${unice.empty_parts === "keep" ? `leaves its \`${end}\`` : `is left out with its \`${end}\``}; programs are read ${read}. \`attention_mask\`, 0 on padding,
1 on tokens${staticMarks}.

Outputs, float [batch]: \`score\`, the predicted PassRatio, and \`exec\`, the predicted chance of Executability, both in
[0, 1].
`,
    files: `
\`onnx/model.onnx\` is in single precision (\`codescore export .\` creates it if it is missing); beside it may be
\`onnx/model_fp16.onnx\`, with weights in half precision, and \`onnx/model_quantized.onnx\`, with weights and activations in 8
bits, for ONNX Runtime on CPUs.
`,
  };
}

function trainingText({ data, license, recipe }: TrainingSummary): string {
  const how = recipe === undefined ? "" : `\n\n${recipe}`;
  const unknown = license === undefined ? "\n\nThe weights' licence is not recorded in this folder." : "";
  if (data === undefined) return `Not recorded in this folder (\`training.json\`).${how}${unknown}`;
  const rows = data.map(({ name, rows, license }) => [name, rows?.toLocaleString("en") ?? "", license ?? "not stated"]);
  return `${table([["source", "rows", "licence"], ...rows])}${how}${unknown}`;
}

function metricsText(metrics: MetricsSummary): string {
  const entries = Object.entries(metrics).flatMap(([set, values]) =>
    Object.entries(values).map(([name, value]) => ({ set, name, value })),
  );
  const isFigure = (value: unknown): value is number => typeof value === "number";
  const single = entries.flatMap(({ set, name, value }) => (isFigure(value) ? [[set, name, String(value)]] : []));
  const grouped = entries.flatMap(({ set, name, value }) => (isFigure(value) ? [] : [{ set, name, value }]));
  const columns = [...new Set(grouped.flatMap(({ value }) => Object.keys(value)))];
  const rows = grouped.map(({ set, name, value }) => [set, name, ...columns.map((column) => show(value[column]))]);
  const tables = [
    ...(rows.length === 0 ? [] : [table([["set", "scored from", ...columns], ...rows])]),
    ...(single.length === 0 ? [] : [table([["set", "metric", "value"], ...single])]),
  ];
  return tables.length === 0 ? "None are recorded in this folder (`metrics.json`)." : tables.join("\n\n");
}

const show = (figure: Figure | undefined): string => {
  if (figure === undefined) return "";
  const [value, low, high] = [figure].flat().map((one) => one.toFixed(3));
  return low === undefined ? value! : `${value} [${low}, ${high}]`;
};

function robustnessText({ counts, results }: RobustnessSummary): string {
  const result = results?.[0];
  if (counts === undefined || result === undefined) return "";
  const bounded = ({ value, low, high }: Bounded): string => {
    if (value === null) return "-";
    return low === null || high === null
      ? value.toFixed(3)
      : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  };
  const harmless = result.harmless.map((row) => [
    row.kind,
    String(row.variants),
    bounded(row.meanChange),
    bounded(row.p90Change),
  ]);
  const harmful = result.harmful.map((row) => [row.kind, String(row.mutants), bounded(row.drop), bounded(row.auc)]);
  return `
## Robustness

Correct programs of ${counted(counts.problems, "problem")}, changed and executed; in brackets 95% intervals clustered by problem. Changes that keep
what a program does should not move its score:

${table([["change", "programs", "mean change", "90% change less than"], ...harmless])}

Changes of one operator that make it fail tests should lower it (AUC: how often the original scores higher, a tie counting half):

${table([["operator", "programs", "mean drop", "AUC"], ...harmful])}
`;
}

function table([head, ...rows]: string[][]): string {
  // Escapes a cell: it must not end the cell or the line, or begin HTML.
  const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
  return [head!, head!.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}
