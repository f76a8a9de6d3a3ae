/**
 * A source of candidates without a language model. Instead of writing a span again, it changes the span by one operator of
 * `mutate/`. Mutants, which should fail, alternate with rewrites of the same meaning, which should pass. If a span has fewer
 * rewrites than mutants, only mutants follow. Rewrites beyond the number of mutants are left out: they nearly always pass, so more
 * of them would only raise the share that passes. The tests decide whether a candidate passes. So `pass` and other similarities
 * can be compared span by span on any machine.
 */
import { oneOperatorMutants, oneOperatorRewrites } from "../../mutate/index.ts";
import { sha256 } from "../../util/files.ts";
import type { Llm, LlmRequest } from "../llm/llm.ts";
import { type Span, spanText } from "./span.ts";

/** Maximum number of changes of each kind per span. A span has at most twice as many samples. */
const most = 8;

/**
 * A forward answer names the change (`mutant: off-by-one`). The backward answer is the changed lines. A span with too few places
 * to change has fewer samples. The uninformative description gets no answer. The same seed gives the same samples.
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
      // A description stands for one program, so there is one answer even if more are requested.
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
  // A multi-line string with lines left of the indent cannot be dedented.
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
