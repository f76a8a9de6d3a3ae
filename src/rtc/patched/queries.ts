/**
 * Queries for Patched RTC, as JSON lines: what a model is asked, the code that the query is about, and a response if there
 * already is one. Reads questions of Arena-Hard (`question_id` and `turns`, or `uid` and `prompt`) and of MT-bench (several
 * `turns`, as texts) as they are. Each turn after the first is a separate query, `ID/2` and so on, for which the model answers
 * the turns before it first.
 */
import { CodescoreError } from "../../errors.ts";
import { type JsonLine, optionalString, readJsonLines } from "../../util/jsonl.ts";
import type { Message } from "../llm/llm.ts";
import { idOf } from "../trip/rows.ts";

export interface Query {
  readonly id: string;
  /** A conversation that ends with the user's turn. A patchflow uses its last turn. */
  readonly messages: readonly Message[];
  /**
   * Ids of the queries that the user's turns stand for. Set if `messages` has only the user's turns; each is asked after the
   * answer to the one before. Not set if the conversation is complete.
   */
  readonly turns?: readonly string[];
  /** Code before the patch, and after it if there is a patch. */
  readonly before: string | null;
  readonly after: string | null;
  /** The response, if it is known. The query is then not asked. */
  readonly response: string | null;
  /** Name of the code's file, without folders, for oracles that depend on its extension. */
  readonly file: string | null;
}

/**
 * The first `limit` queries of a file. A row has `messages`, or the query as text (`query`, `prompt`, the first of `turns`; none
 * if the patchflow needs none), and optionally `before`, `after`, `response` and `file`.
 * @throws `CodescoreError("input")` that names the line
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

/** The user's turns after the first. */
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
