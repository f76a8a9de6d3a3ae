/** Reads the files of a finished run, for the report and the comparison of models. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { exists, readJson } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import type { StepRow } from "../identity/rows.ts";
import type { IdentitySummary } from "../identity/summary.ts";
import type { SampleRow } from "../trip/rows.ts";
import type { RtcSummary } from "../trip/summary.ts";

/** What a run over many projects writes in place of a summary. */
export const PROJECTS_FILE = "projects.json";

export type AnySummary = RtcSummary | IdentitySummary;

export const isIdentity = (summary: AnySummary): summary is IdentitySummary => summary.task === "identity";

/** One name if the same model went forward and backward. */
export const modelName = ({ forward, backward }: AnySummary["models"]): string =>
  forward === backward ? forward : `${forward}, back by ${backward}`;

/** The same for titles and messages. Names of recordings (`llm/recording.ts`) say whose answers they are. */
export function shownModel(models: AnySummary["models"]): string {
  const shown = (name: string): string => {
    if (name === "recorded") return "an unnamed model (recorded answers)";
    return name.replace(/^recorded \((.*)\)$/s, "$1 (recorded answers)");
  };
  return modelName({ ...models, forward: shown(models.forward), backward: shown(models.backward) });
}

/** The JSON file that a run writes at its end. @throws `CodescoreError("usage")` without the folder, "input" without the file */
export async function readResult(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  if (await exists(path)) return readJson(path);
  if (await exists(join(folder, PROJECTS_FILE))) {
    throw new CodescoreError(
      "input",
      `${folder} is a run over projects: \`codescore rtc report RUN...\` puts such runs side by side; each project's own run is in a folder of it`,
    );
  }
  if (!(await exists(folder))) {
    throw new CodescoreError("usage", `there is no folder ${folder}; expected the --output of a finished run`);
  }
  const runs = await runsIn(folder, name);
  const remedy =
    runs.length > 0
      ? `It has folders of finished runs: give one of them, such as ${runs[0]}`
      : "Run the same command again to continue it";
  throw new CodescoreError("input", `${folder} has no finished run: it has no ${name}. ${remedy}`);
}

/** The folders in a folder that hold a finished run. */
async function runsIn(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const paths = entries.sort().map((entry) => join(folder, entry));
  const are = await Promise.all(paths.map((path) => exists(join(path, name))));
  return paths.filter((_, i) => are[i]);
}

/** The summary of a run. @throws `CodescoreError("input")` if there is no summary of this version */
export async function readSummary(folder: string): Promise<AnySummary> {
  const path = join(folder, "summary.json");
  const summary = (await readResult(folder, "summary.json")) as Partial<RtcSummary> | null;
  const whole =
    typeof summary?.task === "string" &&
    Array.isArray(summary.similarities) &&
    (summary.task === "identity" || typeof summary.repeats === "number");
  if (whole) return summary as AnySummary;
  throw new CodescoreError(
    "input",
    `${path}: expected the summary of \`codescore rtc\` of this version; run the same command again to rewrite it; no model is asked`,
  );
}

/** Rows of samples.jsonl. @throws `CodescoreError("input")` for rows that lack a field */
export const readSamples = (folder: string): Promise<SampleRow[]> =>
  readRows(join(folder, "samples.jsonl"), ["task_id", "kind", "description", "candidate", "reference", "sims"]);

/** Rows of steps.jsonl. @throws `CodescoreError("input")` for rows that lack a field */
export const readSteps = (folder: string): Promise<StepRow[]> =>
  readRows(join(folder, "steps.jsonl"), ["task_id", "step", "description", "candidate", "answers", "sims"]);

/** The ids of a run's problems. Undefined if only its summary was kept. */
export async function readIds(folder: string, summary: AnySummary): Promise<ReadonlySet<string> | undefined> {
  const [name, read] = isIdentity(summary)
    ? (["steps.jsonl", readSteps] as const)
    : (["samples.jsonl", readSamples] as const);
  if (!(await exists(join(folder, name)))) return undefined;
  return new Set((await read(folder)).map(({ task_id }) => task_id));
}

async function readRows<Row>(path: string, fields: readonly (keyof Row & string)[]): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { value, where } of readJsonLines(path)) {
    const missing = fields.find((field) => value[field] === undefined);
    if (missing !== undefined) {
      throw new CodescoreError("input", `${where}: expected a row of \`codescore rtc\` with \`${missing}\``);
    }
    rows.push(value as unknown as Row);
  }
  return rows;
}
