/**
 * The certain faults, with their lines, of candidates that answered nothing when they ran. Running them tells of a fault, but not where it is,
 * unless Python cannot compile them.
 */
import type { Observed } from "../behaviour/index.ts";
import { type Find, loadFindings, REFUSED } from "../metrics/static/findings.ts";
import type { Finding } from "../types.ts";
import type { ScoreResult } from "./rows.ts";

type Ran = Observed["candidates"][number];

export const isSilent = ({ answers, exampleAnswers }: Ran): boolean =>
  [...exampleAnswers, ...answers].every(({ outcome }) => outcome !== "ok");

/** Adds the findings to results. `modules`: those that candidates can import. */
export async function withFaults(
  results: readonly ScoreResult[],
  ran: readonly Ran[],
  { reference, candidates }: { readonly reference: string | null; readonly candidates: readonly string[] },
  modules: () => Promise<readonly string[]>,
): Promise<ScoreResult[]> {
  let find: Find | null = null;
  const out: ScoreResult[] = [];
  for (const [i, result] of results.entries()) {
    if ("error" in result || !isSilent(ran[i]!)) {
      out.push(result);
      continue;
    }
    const refused = refusalIn(ran[i]!, candidates[i]!);
    let findings = result.findings ?? [];
    if (result.findings === undefined) {
      find ??= await loadFindings();
      findings = find(candidates[i]!, reference, new Set(await modules())).filter(({ certain }) => certain);
    }
    // Python knows the line where the parser gives up on the whole program.
    const isPlaced = findings.some(({ line }) => line !== null);
    if (refused !== null && !isPlaced)
      findings = [refused, ...findings.filter(({ what }) => !what.startsWith(REFUSED))];
    out.push(findings.length === 0 ? result : { ...result, findings });
  }
  return out;
}

/** What Python says of a program that it cannot compile: `invalid syntax (<candidate>, line 3)`. */
function refusalIn({ answers, exampleAnswers }: Ran, candidate: string): Finding | null {
  const [first] = [...exampleAnswers, ...answers];
  if (first?.outcome !== "error" || !/^(?:Syntax|Indentation|Tab)Error$/.test(first.errorType)) return null;
  const [, why, at] = /^(.*) \(<candidate>, line (\d+)\)$/s.exec(first.message) ?? [];
  const line = Number(at);
  // A program may raise such an error itself, and name any line.
  if (why === undefined || !(line >= 1 && line <= candidate.split(/\r\n?|\n/).length)) return null;
  return { line, what: `${REFUSED}: ${why}`, certain: true };
}
