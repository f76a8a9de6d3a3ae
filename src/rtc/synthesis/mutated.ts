/**
 * A source of candidates without a language model: instead of writing a span again it changes it, by one operator of `mutate/`.
 * Mutants, which should fail, and rewrites that mean the same, which should pass, come in turn, until a span has no more places
 * for one kind; tests say whether they do. So `pass` and other similarities can be compared span by span on any machine.
 */
import { oneOperatorMutants, oneOperatorRewrites } from "../../mutate/index.ts";
import { sha256 } from "../../util/files.ts";
import type { Llm, LlmRequest } from "../llm/llm.ts";
import { type Span, spanText } from "./span.ts";

/** Changes made of each kind: as many samples as two such numbers can be asked for. */
const most = 8;

/**
 * Forward, a description names the change (`mutant: off-by-one`); backward, the changed lines follow. A span without enough
 * places to change has fewer samples; to the uninformative description there is no answer. The same for the same seed.
 */
export function mutateLlm(spans: readonly Span[], seed: number): Llm {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const made = new Map<string, Promise<Changed[]>>();
  const changesOf = (id: string): Promise<Changed[]> => {
    const span = byId.get(id);
    if (!made.has(id)) made.set(id, span ? change(span, seed) : Promise.resolve([]));
    return made.get(id)!;
  };
  return {
    name: "mutate",
    recorded: true,
    drawn: false,
    complete: async ({ n, about }: LlmRequest) => {
      if (about.direction === "baseline") return [];
      const changes = await changesOf(about.taskId);
      if (about.direction === "forward") return changes.slice(about.first, about.first + n).map(({ how }) => how);
      // What a description stands for is one program, however often it is asked for.
      const changed = changes[about.first / n];
      return changed ? [`${fence}python\n${changed.code}\n${fence}`] : [];
    },
  };
}

type Made = Awaited<ReturnType<typeof oneOperatorRewrites>>[number];

interface Changed {
  readonly how: string;
  readonly code: string;
}

/** Longer than any fence in Python code. */
const fence = "~~~~~~";

async function change(span: Span, seed: number): Promise<Changed[]> {
  const { indent, file, start, end } = span;
  const lines = spanText(span).split("\n");
  // A string whose lines stand further out cannot be moved.
  if (lines.some((line) => line.trim() !== "" && !line.startsWith(indent))) return [];
  const code = `${lines.map((line) => line.slice(indent.length)).join("\n")}\n`;
  const outside = file.text.slice(0, start) + file.text.slice(end);
  const keep = [...new Set(outside.match(/[\p{L}_][\p{L}\p{N}_]*/gu))];
  const options = { count: most, keep, seed: seed + Number.parseInt(sha256(span.id).slice(0, 7), 16) };
  const [mutants, rewrites] = [await oneOperatorMutants(code, options), await oneOperatorRewrites(code, options)].map(
    (made) => made.filter((changed) => changed.code.trim() !== ""),
  ) as [Made[], Made[]];
  const indented = (text: string): string =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : indent + line))
      .join("\n");
  return mutants.flatMap((mutant, i) => {
    const rewrite = rewrites[i];
    return [
      { how: `mutant: ${mutant.operators.join(", ")}`, code: indented(mutant.code) },
      ...(rewrite ? [{ how: `rewrite: ${rewrite.operators.join(", ")}`, code: indented(rewrite.code) }] : []),
    ];
  });
}
