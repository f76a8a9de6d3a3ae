/**
 * The shapes of Patched RTC (Sharma 2024, "Approach" and "Patchflows") as trips. The query Q and its code get a response R. From
 * these, a model writes another query Q1 that should produce R. Q1 gets the response R1, which is compared with R.
 *
 * - `query`: Q -> R
 * - `in`: Q with the code before and after a patch -> R, a text (reviews)
 * - `code`: the same with code but without a patch (READMEs)
 * - `out`: Q with the code before -> R, the code after (fixes)
 */
import { CodescoreError } from "../../errors.ts";
import { answeredCode } from "../../languages/index.ts";
import type { Message } from "../llm/llm.ts";
import { defaultPrompts, readTemplate, render, type Template } from "../llm/prompts.ts";
import type { OpenTrip, RoundTrip } from "../trip/trip.ts";
import type { Query } from "./queries.ts";

export type Shape = "query" | "in" | "code" | "out";

/** The shape of each patchflow. The first four have no instruction of their own. */
export const patchflows = {
  generic: "query",
  in: "in",
  code: "code",
  out: "out",
  autofix: "out",
  "pr-review": "in",
  "generate-docstring": "out",
  "generate-readme": "code",
  "resolve-issue": "out",
} as const satisfies Record<string, Shape>;

export type PatchflowName = keyof typeof patchflows;

/** The paper's consistency prompt. It starts the system turn of every request. */
export const consistencyPrompt =
  "Respond with clarity, consistency, and precision, maintaining a structured format throughout.";

export interface PatchflowOptions {
  /** @default "generic" */
  readonly patchflow?: PatchflowName;
  /** Folder with the patched-*.txt of the patchflow. @default the prompts of this package */
  readonly prompts?: string;
  /** Whether to put `consistencyPrompt` before every request. @default false */
  readonly consistency?: boolean;
}

export interface Patchflow {
  readonly shape: Shape;
  /** SHA-256 of each prompt file. */
  readonly prompts: Readonly<Record<string, string>>;
  /** The trip of a query, or the reason why there is none. */
  trip(query: Query): RoundTrip | OpenTrip | string;
}

/** Opens a patchflow. @throws `CodescoreError`: `usage` for an unknown patchflow, `input` for unusable prompts */
export async function openPatchflow({
  patchflow = "generic",
  prompts = defaultPrompts,
  consistency = false,
}: PatchflowOptions): Promise<Patchflow> {
  if (!Object.hasOwn(patchflows, patchflow)) {
    throw new CodescoreError(
      "usage",
      `unknown patchflow \`${patchflow}\`; expected one of ${Object.keys(patchflows).join(", ")}`,
    );
  }
  const shape: Shape = patchflows[patchflow];
  const code = shape === "query" ? [] : shape === "in" ? ["before", "after"] : ["before"];
  const read = (name: string, needed: readonly string[], optional: readonly string[] = []): Promise<Template> =>
    readTemplate(prompts, name, { places: [...needed, ...optional], needed });
  const needsQuery = patchflow === "autofix" || patchflow === "resolve-issue";
  const bare = ["generic", "in", "code", "out"].includes(patchflow);
  const own = bare
    ? null
    : await read(`patched-${patchflow}`, needsQuery ? ["query"] : [], needsQuery ? [] : ["query"]);
  const layout = shape === "query" ? null : await read(`patched-${shape}`, ["query", ...code]);
  const asking = await read(`patched-${shape}-back`, ["query", "response", ...code]);
  const say = (turns: readonly Message[]): readonly Message[] => (consistency ? withConsistency(turns) : turns);

  /** The turns that ask a query. An alternate query replaces everything except the system turn. */
  const ask = (system: readonly Message[], text: string, { before, after }: Query): readonly Message[] => {
    if (layout === null) return say([...system, { role: "user", content: text }]);
    return say([...system, ...render(layout, { query: text, before: before ?? "", after: after ?? "" })]);
  };

  /** Asks the user's turns one by one, each after the answer to the one before. The trip's query is the conversation up to the last turn. */
  const turnByTurn = (
    query: Query,
    begin: (reference: string, text: string) => RoundTrip,
    said: readonly Message[] = [],
    k = 0,
  ): OpenTrip => {
    const now = [...said, query.messages[k]!];
    return {
      ...{ id: query.id, asked: query.turns![k]!, ask: say(now) },
      begin: (answer) => {
        if (k === query.turns!.length - 1) return begin(answered(answer), conversation(now));
        return turnByTurn(query, begin, [...now, { role: "assistant", content: answer }], k + 1);
      },
    };
  };

  /** The content of an answer: its code if the shape is `out`, otherwise its text. */
  const answered = (answer: string): string => (shape === "out" ? answeredCode(answer) : answer).trim();

  return {
    shape,
    prompts: Object.fromEntries(
      Object.entries({ patchflow: own, layout, back: asking }).flatMap(([name, template]) =>
        template === null ? [] : [[name, template.sha256]],
      ),
    ),
    trip: (query) => {
      const missing = lacking(query, shape, bare || needsQuery);
      if (missing !== null) return missing;
      const given = query.messages.at(-1)!.content;
      const turns = own === null ? query.messages : render(own, { query: given });
      const system = turns.filter(({ role }) => role === "system");
      const asked = own === null && layout === null ? conversation(turns) : turns.at(-1)!.content.trim();
      const begin = (reference: string, text = asked): RoundTrip => {
        const values = { query: text, before: query.before ?? "", after: query.after ?? "", response: reference };
        return {
          id: query.id,
          reference,
          input: reference,
          description: text,
          fingerprint: "",
          shown: {
            query: text,
            ...(query.before === null ? {} : { before: query.before }),
            ...(query.after === null || shape !== "in" ? {} : { after: query.after }),
          },
          forward: say(render(asking, values)),
          backward: (alternate) => ask(system, alternate, query),
          place: async (answer) => answered(answer),
        };
      };
      if (query.response !== null) return begin(answered(query.response));
      if (shape === "out" && query.after !== null) return begin(query.after.trim());
      if (query.turns)
        return shape === "query"
          ? turnByTurn(query, begin)
          : "a patchflow accepts only one turn; this query has several";
      const first = layout === null ? say(turns) : ask(system, asked, query);
      return { id: query.id, ask: first, begin: (answer) => begin(answered(answer)) };
    },
  };
}

/** What a query lacks for its shape. Null if nothing. */
function lacking({ messages, before, after }: Query, shape: Shape, needsQuery: boolean): string | null {
  if (needsQuery && messages.at(-1)!.content.trim() === "") return "the query is empty";
  if (shape === "query") return null;
  if (before === null) return "there is no `before` code";
  return shape === "in" && after === null ? "there is no `after` code" : null;
}

/** A conversation as one text, without the system turn. A single turn stays as it is. */
function conversation(turns: readonly Message[]): string {
  const said = turns.filter(({ role }) => role !== "system");
  return said.length === 1 ? said[0]!.content : said.map(({ role, content }) => `[${role}]\n${content}`).join("\n\n");
}

function withConsistency(turns: readonly Message[]): readonly Message[] {
  const [first, ...rest] = turns;
  if (first?.role !== "system") return [{ role: "system", content: consistencyPrompt }, ...turns];
  return [{ role: "system", content: `${consistencyPrompt}\n${first.content}` }, ...rest];
}
