/**
 * Prompts are text files that a user can copy and change. Lines before the first heading are notes. Then come turns under the
 * headings `[system]`, `[user]` and `[assistant]`; the last turn is `[user]`. `{{name}}` is replaced by a value.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { packageRoot, sha256 } from "../../util/files.ts";
import type { Message } from "./llm.ts";

export interface Template {
  readonly turns: readonly Message[];
  /** Hash of the file's text (and of `shots`, if given), for the summary. */
  readonly sha256: string;
}

/** Folder of the prompts in this package. */
export const defaultPrompts: string = join(packageRoot, "src", "rtc", "llm", "prompts");

/**
 * Reads `name`.txt from a folder of prompts.
 * @param places values that the file may use
 * @param needed values that it must use
 * @throws `CodescoreError("input")` that names the file, if it is unreadable or malformed
 */
export async function readTemplate(
  folder: string,
  name: string,
  {
    places,
    needed,
    shots,
  }: {
    readonly places: readonly string[];
    readonly needed: readonly string[];
    /** Number of examples to keep, from the first. @default all */
    readonly shots?: number | undefined;
  },
): Promise<Template> {
  const path = join(folder, `${name}.txt`);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CodescoreError("input", `cannot read the prompt ${path}: ${messageOf(error)}`, { cause: error });
  });
  const [, ...parts] = text.replace(/\r\n?/g, "\n").split(/^\[(system|user|assistant)\][ \t]*$/m);
  const turns: Message[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    turns.push({ role: parts[i] as Message["role"], content: parts[i + 1]!.replace(/^\n+/, "").trimEnd() });
  }
  const found = new Set(
    turns.flatMap(({ content }) => [...content.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!)),
  );
  const fail = (message: string): never => {
    throw new CodescoreError("input", `${path}: ${message}`);
  };
  if (turns.at(-1)?.role !== "user")
    fail("expected turns under [system], [user], [assistant], the last of them [user]");
  const unknown = [...found].filter((place) => !places.includes(place));
  if (unknown.length > 0) fail(`{{${unknown[0]}}} is not known; there are ${places.map((p) => `{{${p}}}`).join(", ")}`);
  const missing = needed.filter((place) => !found.has(place));
  if (missing.length > 0) fail(`{{${missing[0]}}} is missing: the model would not see it`);
  if (shots === undefined) return { turns, sha256: sha256(text) };
  const kept =
    withShots(turns, shots) ??
    fail(`expected at least ${counted(shots, "example")}, each a turn of [user] and one of [assistant]`);
  return { turns: kept, sha256: sha256(`${text}\0${shots}`) };
}

/** The turns with only the first `shots` examples. Null if there are fewer. */
function withShots(turns: readonly Message[], shots: number): Message[] | null {
  const last = turns.length - 1;
  const first = turns.findIndex(({ role }) => role !== "system");
  const examples = turns.slice(first, last);
  const isWhole = examples.every(({ role }, i) => role === (i % 2 === 0 ? "user" : "assistant"));
  if (!isWhole || examples.length % 2 !== 0 || examples.length < 2 * shots) return null;
  return [...turns.slice(0, first), ...examples.slice(0, 2 * shots), turns[last]!];
}

/** The turns with values filled in verbatim: a `{{name}}` inside a value stays. */
export const render = ({ turns }: Template, values: Readonly<Record<string, string>>): Message[] =>
  turns.map(({ role, content }) => ({
    role,
    content: content.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ""),
  }));
