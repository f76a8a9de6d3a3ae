/**
 * Fits `models/behaviour.json`, which converts the results of a run into a score (src/evaluate/fit/behaviour.ts). Uses programs of language
 * models, and a few mutants, for problems of `train-mix`; some of the problems are enough. The observations of each part are stored in the work
 * folder and reused. Results: models/LOG.md.
 *
 * usage: npx vite-node scripts/fit-behaviour.ts SETS/train-mix [MORE] [--tasks 600] [--work runs/fit-behaviour] [--output models/behaviour.json]
 *        [--only-intervals]    keep the scores and probabilities of the output file, and fit only the intervals from many inputs
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readExamples } from "../src/dataset/index.ts";
import { type BehaviourRow, fitJoined, observeBehaviour, passRatiosByGroup } from "../src/evaluate/fit/behaviour.ts";
import { openExecutor } from "../src/execute/index.ts";
import { CodeScorer, type JoinedFile } from "../src/score/index.ts";
import { groupRows } from "../src/statistics/index.ts";
import type { InputFormat, LabelledRow } from "../src/types.ts";
import { sha256 } from "../src/util/files.ts";

const { values, positionals } = parseArgs({
  options: {
    tasks: { type: "string", default: "600" },
    work: { type: "string", default: "runs/fit-behaviour" },
    output: { type: "string", default: "models/behaviour.json" },
    "only-intervals": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error("expected the folder of train-mix");

/** Excluded authors: not language models. Rewrites and references pass on all inputs. */
const MADE = /^(?:rewrite|cross|reference)/;
const MOST = { programs: 20, mutants: 3 };
const COUNTS = [0, 5, 10, 20, 40];

/** Tasks in an order unrelated to their content, each with some of its programs. */
async function tasksOf(part: string, most: number): Promise<LabelledRow[][]> {
  const rows: LabelledRow[] = [];
  for (const folder of positionals) {
    for await (const row of readExamples(join(folder, `${part}.arrow`))) if (!MADE.test(row.made_by)) rows.push(row);
  }
  const byHash = <T>(items: readonly T[], text: (item: T) => string): T[] =>
    items
      .map((item) => ({ item, hash: sha256(text(item)) }))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ item }) => item);
  const groups = [...groupRows(rows.map(({ task_id }) => task_id)).values()].map((places) =>
    places.map((i) => rows[i]!),
  );
  const tasks = groups.map((group) => {
    const mixed = byHash(group, ({ candidate }) => candidate);
    const isMutant = ({ made_by }: LabelledRow): boolean => made_by.startsWith("mutant");
    const ofModels = mixed.filter((row) => !isMutant(row)).slice(0, MOST.programs);
    return ofModels.length === 0 ? [] : [...ofModels, ...mixed.filter(isMutant).slice(0, MOST.mutants)];
  });
  return byHash(
    tasks.filter((task) => task.length > 0),
    ([first]) => first!.task_id,
  ).slice(0, most);
}

/** Without a reference a task is used with all samples, with three and with one, because their number determines how much they tell. */
const VIEWS: readonly { readonly format: InputFormat; readonly samples: number; readonly share: number }[] = [
  { format: "ref+nl", samples: Number.POSITIVE_INFINITY, share: 1 },
  { format: "ref", samples: Number.POSITIVE_INFINITY, share: 1 / 3 }, // a third is enough for what a description alone changes
  { format: "nl", samples: Number.POSITIVE_INFINITY, share: 1 },
  { format: "nl", samples: 3, share: 1 / 2 },
  { format: "nl", samples: 1, share: 1 / 2 },
];

const executor = await openExecutor();
const scorer = await CodeScorer.load();
await mkdir(values.work, { recursive: true });

async function observe(part: string, most: number, text: CodeScorer | null): Promise<BehaviourRow[]> {
  const found: BehaviourRow[] = [];
  const tasks = await tasksOf(part, most);
  for (const { format, samples, share } of VIEWS) {
    const path = join(values.work, `${part}-${most}-${format}-${samples}.json`);
    const known = await readFile(path, "utf8").catch(() => null);
    const rows = tasks.slice(0, Math.ceil(share * tasks.length)).flatMap((task) => {
      const own = format === "nl" ? task.filter(({ made_by }) => !made_by.startsWith("mutant")) : task;
      return samples === Number.POSITIVE_INFINITY || own.length > samples ? own.slice(0, samples) : [];
    });
    const seen =
      known === null
        ? await observeBehaviour(rows, { executor, text, format, counts: COUNTS, seed: 0 })
        : (JSON.parse(known) as BehaviourRow[]);
    if (known === null) await writeFile(path, JSON.stringify(seen));
    for (const one of seen) found.push(one);
  }
  return found;
}

const rows = await observe("train", Number(values.tasks), null);
const kept = await observe("dev", Number.POSITIVE_INFINITY, scorer);
await Promise.all([executor.close(), scorer.close()]);
console.log(`${rows.length} and ${kept.length} observations`);
const file = values["only-intervals"]
  ? {
      ...(JSON.parse(await readFile(values.output, "utf8")) as JoinedFile),
      passRatios: passRatiosByGroup([...rows, ...kept]),
    }
  : fitJoined(rows, kept);
console.log(`a text counts as ${file.text.inputs} inputs, or ${file.text.witnesses} examples and samples`);
await writeFile(values.output, `${JSON.stringify(file)}\n`);
