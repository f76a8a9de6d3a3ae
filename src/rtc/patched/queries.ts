/**
 * Queries for Patched RTC, as JSON lines: what a model is asked, the code it is asked about, and its response where there
 * already is one. Questions of Arena-Hard (`question_id` and `turns`, or `uid` and `prompt`) and of MT-bench (several `turns`, as texts) are
 * read as they come. Each turn after the first is a query of its own, `ID/2` and so on: the model answers the turns before it first.
 */
import { CodescoreError } from "../../errors.ts";
import { type JsonLine, optionalString, readJsonLines } from "../../util/jsonl.ts";
import type { Message } from "../llm/llm.ts";
import { idOf } from "../trip/rows.ts";

export interface Query {
  readonly id: string;
  /** A conversation that ends with the user's turn; a patchflow takes its last turn. */
  readonly messages: readonly Message[];
  /**
   * The queries that the user's turns are, where `messages` are such turns alone: each is asked once the one before is answered. Not
   * where the conversation is whole.
   */
  readonly turns?: readonly string[];
  /** Code before the patch, and after it where the patch is there. */
  readonly before: string | null;
  readonly after: string | null;
  /** What came of the query already: it is not asked again. */
  readonly response: string | null;
  /** Name of the file that the code stands in, for oracles that go by its ending; without folders. */
  readonly file: string | null;
}

/**
 * The queries of a file, the first `limit` of them. Rows have `messages`, or the query as text (`query`, `prompt`, the
 * first of `turns`; nothing where a patchflow needs none), and `before`, `after`, `response`, `file` where there are.
 * Throws `CodescoreError("input")` that names the line.
 */
export async function readQueries(path: string, limit = Number.POSITIVE_INFINITY): Promise<Query[]> {
  const queries = new Map<string, Query>();
  for await (const line of readJsonLines(path)) {
    if (queries.size >= limit) break;
    const id = idOf(line, ["task_id", "id", "question_id", "uid"]) ?? `query/${queries.size + 1}`;
    if (queries.has(id)) throw new CodescoreError("input", `${line.where}: a second query with the id \`${id}\``);
    const file = optionalString(line, "file");
    if (file !== null && !(/^[\w.-]+$/.test(file) && /\w/.test(file))) {
      throw new CodescoreError(
        "input",
        `${line.where}: expected \`file\` to be a bare name such as app.py, got \`${file}\``,
      );
    }
    const messages = messagesOf(line);
    const further = furtherTurns(line);
    const rest = {
      before: optionalString(line, "before"),
      after: optionalString(line, "after"),
      file,
    };
    queries.set(id, { id, messages, response: optionalString(line, "response"), ...rest });
    for (let k = 1; k <= further.length && queries.size < limit; k++) {
      const turns = Array.from({ length: k + 1 }, (_, i) => (i === 0 ? id : `${id}/${i + 1}`));
      const asked = further.slice(0, k).map((content): Message => ({ role: "user", content }));
      const own = { id: turns.at(-1)!, messages: [...messages, ...asked], turns, response: null, ...rest };
      if (queries.has(own.id))
        throw new CodescoreError("input", `${line.where}: a second query with the id \`${own.id}\``);
      queries.set(own.id, own);
    }
  }
  return [...queries.values()];
}

/** What the user says after the first turn. */
function furtherTurns({ value: { messages, turns }, where }: JsonLine): string[] {
  if (messages !== undefined || !Array.isArray(turns)) return [];
  return turns.slice(1).map((turn: unknown) => {
    const text = textOf(turn);
    if (text !== null) return text;
    throw new CodescoreError("input", `${where}: expected \`turns\` to be texts, or objects with a text \`content\``);
  });
}

const textOf = (turn: unknown): string | null => {
  const content: unknown = typeof turn === "string" ? turn : (turn as { content?: unknown } | null)?.content;
  return typeof content === "string" ? content : null;
};

function messagesOf(line: JsonLine): Message[] {
  const { messages, turns } = line.value;
  if (messages === undefined) {
    const text = optionalString(line, "query", "prompt") ?? (Array.isArray(turns) ? textOf(turns[0]) : null) ?? "";
    return [{ role: "user", content: text }];
  }
  if (!Array.isArray(messages) || !messages.every(isMessage) || messages.at(-1)?.role !== "user") {
    throw new CodescoreError(
      "input",
      `${line.where}: expected \`messages\` as {"role", "content"} with texts, the last of the user`,
    );
  }
  return messages.map(({ role, content }) => ({ role, content }));
}

const isMessage = (value: unknown): value is Message => {
  const { role, content } = (value ?? {}) as Partial<Record<keyof Message, unknown>>;
  return (role === "system" || role === "user" || role === "assistant") && typeof content === "string";
};
