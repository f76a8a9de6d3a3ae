/**
 * The models' answers as JSON lines, so that a run can be repeated without models. One row per sample:
 *
 *     {"task_id": "starter/12", "direction": "forward", "sample": 0, "text": "Adds the digits of n."}
 *
 * - `direction`: `forward` (code to description), `backward` (description to code), `baseline` (the uninformative description to
 *   code), `response` (the answer to a query, sample 0), `judge` (how similar two of these are), `greedy` (a description of an
 *   edit) or `comment` (a human's words to code).
 * - `sample`: from 0 within task and direction. With F forward and B backward samples, backward sample `f * B + b` is sample `b`
 *   for the description of forward sample `f`.
 * - `text`: the model's answer, unchanged. Backward: the body, or the whole function or program, fenced or not.
 * - `prompt_sha256`, optional: the hash of the request (llm.ts). A row with a hash answers only that request. A row without one
 *   answers any prompt, which suits recordings made by hand.
 * - `sampling`, optional: the settings in that hash, so that an error can say which of them differs.
 * - `model`, optional: the model that answered.
 *
 * The cache of a real model has the same format as a recording.
 */
import { CodescoreError } from "../../errors.ts";
import { exists } from "../../util/files.ts";
import { type JsonLine, optionalString, readJsonLines, stringField } from "../../util/jsonl.ts";
import { type Journal, openKnown } from "./journal.ts";
import { type Direction, type Llm, type LlmRequest, requestHash } from "./llm.ts";

export interface RecordingRow {
  readonly task_id: string;
  readonly direction: Direction;
  readonly sample: number;
  readonly text: string;
  readonly prompt_sha256?: string;
  readonly sampling?: Sampling;
  readonly model?: string;
}

interface Sampling {
  readonly temperature: number;
  readonly max_tokens: number;
  readonly seed: number | null;
}

/**
 * Answers from a recording, which is read at once. Its name is `recorded`, followed by the models' names if rows have them.
 * @throws `CodescoreError`: `input` for a malformed or duplicate row, `usage` if the file is missing, or if a prompt is asked
 * that its rows were not recorded for
 */
export async function replayLlm(path: string): Promise<Llm> {
  const rows = await readRecording(path);
  const models = [...new Set([...rows.values()].flat().flatMap((row) => row.model ?? []))].sort();
  return {
    name: models.length === 0 ? "recorded" : `recorded (${models.join(", ")})`,
    recorded: true,
    complete: async (request) => {
      const hash = requestHash(request);
      const samples: string[] = [];
      for (let i = 0; i < request.n; i++) {
        const known = rows.get(slot(request, i)) ?? [];
        const row = known.find((r) => r.prompt_sha256 === hash) ?? known.find((r) => r.prompt_sha256 === undefined);
        if (row === undefined && known.length > 0) throw otherRequest(path, request, i, known[0]!);
        if (row === undefined) break;
        samples.push(row.text);
      }
      return samples;
    },
  };
}

/** Asks the model only for samples that the file lacks, and appends its answers to the file. */
export interface Cache {
  wrap(llm: Llm): Llm;
  close(): Promise<void>;
}

/** Opens the cache in a file. Several models may share one file, because rows carry the model's name. */
export async function openCache(path: string): Promise<Cache> {
  const { journal, known: rows } = await openKnown(path, readRecording);
  return { wrap: (llm) => cached(llm, rows, journal), close: () => journal.close() };
}

function cached(llm: Llm, rows: Map<string, RecordingRow[]>, journal: Journal): Llm {
  return {
    name: llm.name,
    ...(llm.usage ? { usage: llm.usage } : {}),
    complete: async (request) => {
      const hash = requestHash(request);
      const sampling = samplingOf(request);
      const known = (i: number): RecordingRow | undefined =>
        rows.get(slot(request, i))?.find((row) => row.prompt_sha256 === hash && row.model === llm.name);
      const samples = Array.from({ length: request.n }, (_, i) => known(i)?.text);
      for (let from = 0; from < request.n; from++) {
        if (samples[from] !== undefined) continue;
        const end = samples.findIndex((text, i) => i > from && text !== undefined);
        const n = (end < 0 ? request.n : end) - from;
        const { taskId, direction, first } = request.about;
        const fresh = await llm.complete({ ...request, n, about: { taskId, direction, first: first + from } });
        const added = fresh.map((text, i): RecordingRow => {
          samples[from + i] = text;
          const sample = first + from + i;
          return { task_id: taskId, direction, sample, prompt_sha256: hash, sampling, model: llm.name, text };
        });
        await journal.append(added);
        for (const row of added) rows.set(key(row), [...(rows.get(key(row)) ?? []), row]);
      }
      return samples.filter((text) => text !== undefined);
    },
  };
}

const all: Direction[] = ["forward", "backward", "baseline", "response", "judge", "greedy", "comment"];
const directions: readonly string[] = all;

/** Rows by task, direction and sample. There are several per key if prompts or models differ. */
async function readRecording(path: string): Promise<Map<string, RecordingRow[]>> {
  const rows = new Map<string, RecordingRow[]>();
  if (path !== "-" && !(await exists(path))) {
    throw new CodescoreError("usage", `cannot read the recording ${path}: no such file`);
  }
  for await (const line of readJsonLines(path)) {
    const row = parseRow(line);
    const beside = rows.get(key(row)) ?? [];
    if (beside.some((other) => other.prompt_sha256 === row.prompt_sha256 && other.model === row.model)) {
      throw new CodescoreError(
        "input",
        `${line.where}: a second ${row.direction} sample ${row.sample} of ${row.task_id}; number samples from 0 in \`sample\``,
      );
    }
    rows.set(key(row), [...beside, row]);
  }
  return rows;
}

function parseRow(line: JsonLine): RecordingRow {
  const direction = stringField(line, "direction");
  if (!directions.includes(direction)) {
    throw new CodescoreError(
      "input",
      `${line.where}: expected \`direction\` to be one of ${directions.join(", ")}, got \`${direction}\``,
    );
  }
  const sample = line.value.sample;
  if (typeof sample !== "number" || !Number.isInteger(sample) || sample < 0) {
    const got = JSON.stringify(sample) ?? "nothing";
    throw new CodescoreError("input", `${line.where}: expected \`sample\` to be an integer from 0, got ${got}`);
  }
  const hash = optionalString(line, "prompt_sha256");
  const model = optionalString(line, "model");
  const sampling = line.value.sampling as Sampling | null | undefined;
  return {
    task_id: stringField(line, "task_id"),
    direction: direction as Direction,
    sample,
    text: stringField(line, "text"),
    ...(hash === null ? {} : { prompt_sha256: hash }),
    ...(typeof sampling === "object" && sampling !== null && { sampling }),
    ...(model === null ? {} : { model }),
  };
}

const key = (row: RecordingRow): string => JSON.stringify([row.task_id, row.direction, row.sample]);

const slot = ({ about }: LlmRequest, i: number): string =>
  JSON.stringify([about.taskId, about.direction, about.first + i]);

const samplingOf = ({ temperature, maxTokens, seed }: LlmRequest): Sampling => ({
  temperature,
  max_tokens: maxTokens,
  seed: seed ?? null,
});

function otherRequest(path: string, request: LlmRequest, i: number, row: RecordingRow): CodescoreError {
  const { direction, first, taskId } = request.about;
  return new CodescoreError(
    "usage",
    `${path}: ${direction} sample ${first + i} of ${taskId} was recorded ${whatDiffers(request, row)}; ` +
      "use the prompts and settings it was recorded with, or drop `prompt_sha256` from the rows to replay them for any prompt",
  );
}

/** How a request differs from a recorded row. Rows of older versions do not record their sampling settings. */
function whatDiffers(request: LlmRequest, { prompt_sha256, sampling: then }: RecordingRow): string {
  if (then === undefined) return "for another prompt or other sampling settings";
  const now = samplingOf(request);
  const names = (["temperature", "max_tokens", "seed"] as const).filter((name) => then[name] !== now[name]);
  const settings = names.map(
    (name) => `${name} was ${then[name] ?? "not given"}, and is ${now[name] ?? "not given"} now`,
  );
  const { temperature, max_tokens: maxTokens, seed } = then;
  const { seed: _, ...asked } = request;
  const samePrompt =
    requestHash({ ...asked, temperature, maxTokens, ...(seed !== null && { seed }) }) === prompt_sha256;
  return [
    ...(samePrompt ? [] : ["for another prompt"]),
    ...(settings.length === 0 ? [] : [`with other sampling settings (${settings.join("; ")})`]),
  ].join(" and ");
}
