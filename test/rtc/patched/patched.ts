/** Shared by the tests of Patched RTC: a folder and a server for each test, queries, and running them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import {
  type Llm,
  type Message,
  openAiLlm,
  openSimilarity,
  patchedRtc,
  type Query,
  readQueries,
} from "../../../src/rtc/index.ts";
import { type Reaction, type Stub, type StubRequest, startStub } from "../stub.ts";

/** The folder of the current test. */
export let folder: string;
let stub: Stub | undefined;

/** Each test file must call it, otherwise its tests have no folder. */
export function useFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "patched-"));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
    await stub?.close();
    stub = undefined;
    await rm(folder, { recursive: true });
  });
}

/** The server that `llmOf` calls. */
export async function serve(react: Parameters<typeof startStub>[0]): Promise<Stub> {
  stub = await startStub(react);
  return stub;
}

export async function file(name: string, rows: readonly object[]): Promise<string> {
  await writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(folder, name);
}

export const queriesOf = async (rows: readonly object[]): Promise<Query[]> =>
  readQueries(await file("queries.jsonl", rows));
export const turnsOf = ({ body }: StubRequest): Message[] => body.messages as Message[];
export const said = (request: StubRequest): string => turnsOf(request).at(-1)!.content;
export const llmOf = (): Llm => openAiLlm({ model: "m", baseUrl: stub!.url, backoffMs: 1, retries: 0 });

export async function run(
  rows: readonly object[],
  over: Partial<Parameters<typeof patchedRtc>[0]> = {},
): ReturnType<typeof patchedRtc> {
  const llm = llmOf();
  return patchedRtc({
    queries: await queriesOf(rows),
    forward: llm,
    backward: llm,
    similarities: [openSimilarity("exact"), openSimilarity("rouge-l")],
    out: join(folder, "out"),
    quiet: true,
    ...over,
  });
}

/** Answers a query with its last word, and converts each answer into a query that ends with it, except "drift". */
export const echo = (request: StubRequest): Reaction => {
  const text = said(request);
  const response = /<response>\n([\s\S]*?)\n<\/response>/.exec(text)?.[1];
  if (response !== undefined) return { texts: [response.endsWith("drift") ? "Say something else" : `Say ${response}`] };
  return { texts: [`It is ${text.trim().split(/\s+/).at(-1)}`] };
};
