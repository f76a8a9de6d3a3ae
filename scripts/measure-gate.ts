/**
 * Measures how well the static gate detects programs that raise NameError, SyntaxError, IndentationError or ModuleNotFoundError, compared
 * with the first errors when executing them: precision, recall, and the causes of false alarms and misses. Only programs of models
 * and people, because mutants and rewrites fail by design.
 *
 * usage: npx vite-node scripts/measure-gate.ts [--show N] LABELLED.arrow...
 */
import { parseArgs } from "node:util";
import { modulesOf, readExamples } from "../src/dataset/index.ts";
import { missingModules, staticFaults } from "../src/languages/python/index.ts";
import { loadParser } from "../src/languages/python/syntax/parse.ts";
import { gate, loadGate } from "../src/metrics/static/gate.ts";
import type { LabelledRow } from "../src/types.ts";

const { values, positionals } = parseArgs({
  options: { show: { type: "string", default: "0" } },
  allowPositionals: true,
});
const SEEN = /^(?:NameError|SyntaxError|IndentationError|TabError|ModuleNotFoundError|ImportError)$/;
const MADE = /^(?:mutant|rewrite|cross|reference)/;

await loadGate();
const parse = await loadParser();

/** Why the gate closes, in a few words. */
function causeOf({ candidate, reference }: LabelledRow, there?: ReadonlySet<string>): string {
  const [ours, theirs] = [staticFaults(parse(candidate)), staticFaults(parse(reference ?? ""))];
  if (ours.broken) return "does not parse";
  const names = ours.undefinedNames.filter((name) => !theirs.undefinedNames.includes(name));
  if (names.length > 0) return `undefined ${names.slice(0, 2).join(", ")}`;
  const modules = missingModules(ours, there).filter((name) => !missingModules(theirs, there).includes(name));
  return modules.length > 0 ? `no module ${modules[0]}` : "nothing of the reference's name";
}

const share = (part: number, whole: number): string =>
  `${whole === 0 ? "-" : (part / whole).toFixed(3)} (${part} of ${whole})`;

for (const path of positionals) {
  const counts = { hit: 0, alarm: 0, miss: 0, clean: 0 };
  const alarms = new Map<string, number>();
  const misses = new Map<string, number>();
  let shown = 0;
  const named = await modulesOf([path]);
  const modules = named === null ? undefined : new Set(named);
  for await (const row of readExamples(path)) {
    if (MADE.test(row.made_by) || row.status !== "ok" || row.reference === null) continue;
    const [closes, raises] = [gate(row.candidate, row.reference, modules) === 0, SEEN.test(row.first_error ?? "")];
    counts[closes ? (raises ? "hit" : "alarm") : raises ? "miss" : "clean"] += 1;
    if (closes === raises) continue;
    const [list, cause] = closes
      ? [alarms, `${causeOf(row, modules)}: ${row.first_error ?? `PassRatio ${row.pass_ratio}`}`]
      : [misses, row.first_error ?? ""];
    list.set(cause, (list.get(cause) ?? 0) + 1);
    if (shown++ < Number(values.show)) console.log(`--- ${row.task_id} ${row.made_by}: ${cause}\n${row.candidate}`);
  }
  const { hit, alarm, miss } = counts;
  console.log(`${path}: precision ${share(hit, hit + alarm)}, recall ${share(hit, hit + miss)}`);
  for (const [title, list] of [
    ["false alarms", alarms],
    ["misses", misses],
  ] as const) {
    const causes = [...list].sort((a, b) => b[1] - a[1]).slice(0, 12);
    if (causes.length > 0) console.log(`  ${title}: ${causes.map(([cause, times]) => `${times} ${cause}`).join("; ")}`);
  }
}
