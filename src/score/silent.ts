/** The certain faults, with their lines, of candidates that answered nothing when they ran. Running them tells of a fault, but not where it is. */
import type { Observed } from "../behaviour/index.ts";
import { type Find, loadFindings } from "../metrics/static/findings.ts";
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
    if ("error" in result || result.findings !== undefined || !isSilent(ran[i]!)) {
      out.push(result);
      continue;
    }
    find ??= await loadFindings();
    const findings = find(candidates[i]!, reference, new Set(await modules())).filter(({ certain }) => certain);
    out.push(findings.length === 0 ? result : { ...result, findings });
  }
  return out;
}
