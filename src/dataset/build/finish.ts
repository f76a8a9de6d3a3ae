/**
 * Turns labelled candidates into finished sets: drops rows without a label, caps rows with the same extreme PassRatio, chooses
 * references, computes weights, splits by problem. Reads the labelled file several times, because it may not fit in memory.
 */
import { join } from "node:path";
import { stripPython } from "../../languages/python/normalize/strip.ts";
import { sentenceChrf } from "../../metrics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { readExamples, writeExamples } from "../examples.ts";
import { type Kind, kindOf } from "../kinds.ts";
import { type Counts, Tally, writeManifest } from "../manifest.ts";
import { type Split, shareOf } from "../split.ts";
import type { Recipe } from "./recipes.ts";
import { equalisedWeights, type WeightBin, type WeightedRow } from "./weights.ts";

export interface FinishOptions {
  readonly recipe: Recipe;
  readonly labelled: string;
  /** The folder of the finished sets. */
  readonly out: string;
  /** Source files for the manifests, and settings and reports of the earlier steps. */
  readonly sources: readonly string[];
  readonly how: Readonly<Record<string, unknown>>;
}

export interface Finished {
  readonly counts: Readonly<Partial<Record<Split, Counts>>>;
  /** Number of labelled rows left out because their problem already has enough rows with that PassRatio. */
  readonly capped: number;
  /** Share of the total weight that programs of models have. */
  readonly llmWeight: number;
}

/** Maximum share of a problem's programs, of models and of codescore each, with PassRatio 0, and with PassRatio 1. */
const extremeShare = 0.5;
/** Share of rows that get another passing program as their reference, if the recipe is weighted and there is one. */
const passingReferenceShare = 0.4;
/** Maximum number of passing programs kept per problem as substitute references, and the minimum number of tests they must pass. */
const keptPassing = 4;
const enoughTests = 5;

export async function finish({ recipe, labelled, out, sources, how }: FinishOptions): Promise<Finished> {
  const passing = recipe.weighted ? await passingPrograms(labelled) : new Map<string, string[]>();
  const kept: number[] = []; // row numbers in the labelled file
  const rows: WeightedRow[] = [];
  const byKind = new Map<Kind, number[]>();
  const cap = new ExtremeCap(recipe);
  let place = -1;
  for await (const row of readExamples(labelled)) {
    place += 1;
    const split = recipe.splitOf(row.task_id);
    if (row.status !== "ok" || row.pass_ratio === null || split === null) continue;
    const kind = kindOf(row.made_by);
    if (recipe.weighted && split !== "train" && kind !== "llm") continue; // dev and test measure on programs of models only
    if (!cap.admits(row)) continue;
    const reference = referenceOf(row, passing);
    const similarity =
      recipe.weighted && reference !== null
        ? sentenceChrf(stripPython(row.candidate), stripPython(reference)) / 100
        : null;
    const places = byKind.get(kind) ?? [];
    places.push(kept.length);
    byKind.set(kind, places);
    kept.push(place);
    rows.push({ similarity, passRatio: row.pass_ratio, made: kind !== "llm" });
  }
  const { weights, table } = recipe.weighted
    ? equalisedWeights(rows)
    : { weights: new Float64Array(rows.length).fill(1), table: [] as WeightBin[] };
  const weightOf = new Map(kept.map((at, i) => [at, weights[i]!]));
  const kinds = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  const weightOfKind = Object.fromEntries(
    kinds.map(([kind, indices]) => [kind, { rows: indices.length, weight: total(indices.map((i) => weights[i]!)) }]),
  );
  const llmWeight = (weightOfKind.llm?.weight ?? 0) / Math.max(total([...weights]), Number.MIN_VALUE);

  const counts: Partial<Record<Split, Counts>> = {};
  for (const split of ["train", "dev", "test"] as const) {
    const tally = new Tally();
    async function* chosen(): AsyncGenerator<LabelledRow> {
      let at = -1;
      for await (const row of readExamples(labelled)) {
        at += 1;
        const weight = weightOf.get(at);
        if (weight === undefined || recipe.splitOf(row.task_id) !== split) continue;
        const finished = { ...row, reference: referenceOf(row, passing), weight };
        tally.add(finished);
        yield finished;
      }
    }
    const path = join(out, `${split}.arrow`);
    await writeExamples(path, chosen());
    await writeManifest(path, {
      sources,
      how: { ...how, split, capped: cap.dropped, kinds: weightOfKind, llm_weight: llmWeight, weights: table },
      tally,
    });
    counts[split] = tally.counts;
  }
  return { counts, capped: cap.dropped, llmWeight };
}

const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** By problem, the first few programs of models that passed every test. */
async function passingPrograms(labelled: string): Promise<Map<string, string[]>> {
  const passing = new Map<string, string[]>();
  for await (const { task_id, made_by, pass_ratio, n_tests, candidate } of readExamples(labelled)) {
    if (pass_ratio !== 1 || n_tests < enoughTests || kindOf(made_by) !== "llm") continue;
    const known = passing.get(task_id) ?? [];
    if (known.length < keptPassing) passing.set(task_id, [...known, candidate]);
  }
  return passing;
}

/** The row's own reference. Some rows, and rows without a reference, get a program that passed instead. */
function referenceOf(row: LabelledRow, passing: ReadonlyMap<string, readonly string[]>): string | null {
  const others = (passing.get(row.task_id) ?? []).filter((code) => code.trim() !== row.candidate.trim());
  if (others.length === 0) return row.reference;
  const draw = shareOf(`${row.task_id}\0${row.sample_id}`, "reference");
  if (row.reference !== null && draw >= passingReferenceShare) return row.reference;
  return others[Math.floor(shareOf(`${row.task_id}\0${row.sample_id}`, "which") * others.length)]!;
}

/** Limits a problem's rows with PassRatio 0, and with PassRatio 1, for programs of models and of codescore separately. */
class ExtremeCap {
  readonly #limits: { readonly llm: number; readonly made: number } | null;
  readonly #seen = new Map<string, number>();
  dropped = 0;

  constructor({ capped, llmPerProblem, madePerProblem }: Recipe) {
    this.#limits =
      !capped || llmPerProblem === null
        ? null
        : { llm: Math.ceil(extremeShare * llmPerProblem), made: Math.ceil(extremeShare * madePerProblem) };
  }

  admits(row: LabelledRow): boolean {
    const kind = kindOf(row.made_by);
    if (this.#limits === null || kind === "reference" || (row.pass_ratio !== 0 && row.pass_ratio !== 1)) return true;
    const side = kind === "llm" ? "llm" : "made";
    const key = `${row.task_id}\0${side}\0${row.pass_ratio}`;
    const seen = this.#seen.get(key) ?? 0;
    if (seen >= this.#limits[side]) {
      this.dropped += 1;
      return false;
    }
    this.#seen.set(key, seen + 1);
    return true;
  }
}
