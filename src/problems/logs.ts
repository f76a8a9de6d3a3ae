/**
 * Logs of evaluation harnesses as sample rows, with answers in `generation`. Reads lm-evaluation-harness samples
 * (`samples_TASK_TIME.jsonl`, from its evaluation_tracker.py) and JSON logs of inspect_ai (`EvalLog` of its log/_log.py).
 */
import { dirname, join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, readJson } from "../util/files.ts";
import { type Row, rowOfFields } from "./rows.ts";
import type { Run } from "./runs.ts";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectIn = (value: unknown, ...names: readonly string[]): Record<string, unknown> =>
  names.reduce<Record<string, unknown>>(
    (at, name) => (isObject(at[name]) ? at[name] : {}),
    isObject(value) ? value : {},
  );

/** `{doc_id, doc, target, arguments, resps, filtered_resps, filter}`. */
export const isHarnessRow = ({ value }: Row): boolean =>
  isObject(value.doc) && (Array.isArray(value.filtered_resps) || Array.isArray(value.resps));

/** The model of an lm-evaluation-harness run: `model_name` in the `results_TIME.json` beside its samples. */
export async function harnessRun(path: string): Promise<Run> {
  const time = /^samples_.*?_(\d{4}-\d{2}-\d{2}T[\d.:-]+)\.jsonl(?:\.gz)?$/.exec(path.replace(/^.*[\\/]/, ""))?.[1];
  const results = join(dirname(path), `results_${time}.json`);
  if (time === undefined || !(await exists(results))) return {};
  const model = objectIn(await readJson(results)).model_name;
  return typeof model === "string" && model !== "" ? { model } : {};
}

/**
 * The answers of one document as the harness's filter left them (for code, whole programs), otherwise the raw answers.
 * Throws `CodescoreError("input")` if a document does not name its problem.
 */
export function* harnessAnswers(row: Row): Generator<Row> {
  const { doc, filtered_resps, resps } = row.value;
  const { task_id, question_id } = objectIn(doc);
  const task = task_id ?? question_id;
  if (typeof task !== "string" && typeof task !== "number") {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`doc\` to name its problem in \`task_id\` or \`question_id\`; fields there: ${Object.keys(objectIn(doc)).slice(0, 12).join(", ") || "none"}`,
    );
  }
  const given = Array.isArray(filtered_resps) && filtered_resps.length > 0 ? filtered_resps : resps;
  const temperature = harnessTemperature(row.value.arguments);
  for (const generation of (given as unknown[]).flat()) {
    yield rowOfFields({ task_id: task, generation, ...(temperature !== null && { temperature }) }, row.where);
  }
}

/** Reads `{gen_args_0: {arg_0: prompt, arg_1: settings}}`, before version 0.4.4 `[[prompt, settings]]`. 0 if nothing is sampled. */
function harnessTemperature(given: unknown): number | null {
  const old = Array.isArray(given) && Array.isArray(given[0]) ? given[0][1] : null;
  const settings = isObject(old) ? old : objectIn(given, "gen_args_0", "arg_1");
  if (settings.do_sample === false) return 0;
  return typeof settings.temperature === "number" ? settings.temperature : null;
}

/** `{version, eval: {model, task}, plan, samples: [{id, epoch, output: {choices}}]}`. */
export const isInspectLog = ({ value }: Row): boolean => isObject(value.eval) && "model" in value.eval;

/** Logs whose failed samples were reported: sample files are read twice. */
const told = new Set<string>();

/**
 * Every choice of every sample. A sample that failed before it gave an answer counts as an empty answer, and the user is
 * warned once for each log.
 */
export function* inspectAnswers({ value, where }: Row): Generator<Row> {
  const { model } = objectIn(value.eval);
  const temperature =
    objectIn(value.plan, "config").temperature ?? objectIn(value.eval, "model_generate_config").temperature;
  if (!Array.isArray(value.samples)) {
    throw new CodescoreError(
      "input",
      `${where}: expected an inspect_ai log with \`samples\`, got one without (status ${JSON.stringify(value.status ?? null)}); \`inspect log convert --to json\` writes them`,
    );
  }
  const failed = value.samples.filter(
    (sample) => isObject(objectIn(sample).error) && answersOf(sample).every((text) => text === ""),
  );
  if (failed.length > 0 && !told.has(where)) {
    told.add(where);
    process.emitWarning(
      `${where}: ${failed.length} of ${value.samples.length} samples failed before an answer, and count as empty programs ` +
        `(the first: ${JSON.stringify(objectIn(failed[0]).id ?? null)}, ${String(objectIn(failed[0], "error").message ?? "no message").slice(0, 200)}). ` +
        "`inspect eval-retry LOG` runs them again",
      "CodescoreWarning",
    );
  }
  for (const sample of value.samples as unknown[]) {
    const { id, attachments } = objectIn(sample);
    for (const answer of answersOf(sample)) {
      const generation = attached(answer, objectIn(attachments));
      yield rowOfFields(
        {
          task_id: id,
          generation,
          ...(typeof model === "string" && { model }),
          ...(temperature != null && { temperature }),
        },
        `${where}, sample ${id}`,
      );
    }
  }
}

/** The text of each choice of a sample; one empty text if it has none. */
function answersOf(sample: unknown): string[] {
  const { choices, completion } = objectIn(sample, "output");
  const said = Array.isArray(choices) ? choices.map((choice) => textOf(objectIn(choice, "message").content)) : [];
  return said.length > 0 ? said : [typeof completion === "string" ? completion : ""];
}

/** The text of a message, which is a text or a list of parts, some of them texts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.map((part) => objectIn(part)) : [];
  return parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("");
}

/** Resolves `attachment://HASH`, because logs store long texts separately. */
function attached(text: string, attachments: Readonly<Record<string, unknown>>): string {
  const found = attachments[text.replace(/^attachment:\/\//, "")];
  return text.startsWith("attachment://") && typeof found === "string" ? found : text;
}
