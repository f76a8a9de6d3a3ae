/**
 * Labelled candidates into the sets that are handed on: rows without a label left out, repeats of one PassRatio capped,
 * references chosen, weights, division by problem. Reads the labelled file several times rather than hold it.
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
  /** Folder of the finished sets. */
  readonly out: string;
  /** Files named in the manifests, and the settings of the steps before. */
  readonly sources: readonly string[];
  readonly how: Readonly<Record<string, unknown>>;
}

export interface Finished {
  readonly counts: Readonly<Partial<Record<Split, Counts>>>;
  /** Labelled rows left out because their problem has enough of their PassRatio. */
  readonly capped: number;
  /** Share of the whole weight on programs of models. */
  readonly llmWeight: number;
}

/** Of a problem's rows of one kind of maker, how many may have PassRatio 0, and how many 1: half of what it may have. */
const extremeShare = 0.5;
/** Rows that get another passing program as their reference, where the recipe is weighted and there is one. */
const passingReferenceShare = 0.4;
/** Passing programs kept of a problem to stand in as references, and the tests they must have passed. */
const keptPassing = 4;
const enoughTests = 5;

export async function finish({ recipe, labelled, out, sources, how }: FinishOptions): Promise<Finished> {
  const passing = recipe.weighted ? await passingPrograms(labelled) : new Map<string, string[]>();
  const kept: number[] = []; // places in the labelled file
  const rows: WeightedRow[] = [];
  const byKind = new Map<Kind, number[]>();
  const cap = new ExtremeCap(recipe);
  let place = -1;
  for await (const row of readExamples(labelled)) {
    place += 1;
    const split = recipe.splitOf(row.task_id);
    if (row.status !== "ok" || row.pass_ratio === null || split === null) continue;
    const kind = kindOf(row.made_by);
    if (recipe.weighted && split !== "train" && kind !== "llm") continue; // measured on programs of models alone
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

/** The first few programs of models that passed every test, by problem. */
async function passingPrograms(labelled: string): Promise<Map<string, string[]>> {
  const passing = new Map<string, string[]>();
  for await (const { task_id, made_by, pass_ratio, n_tests, candidate } of readExamples(labelled)) {
    if (pass_ratio !== 1 || n_tests < enoughTests || kindOf(made_by) !== "llm") continue;
    const known = passing.get(task_id) ?? [];
    if (known.length < keptPassing) passing.set(task_id, [...known, candidate]);
  }
  return passing;
}

/** The row's own reference, or for some rows, and for those without one, a program that passed. */
function referenceOf(row: LabelledRow, passing: ReadonlyMap<string, readonly string[]>): string | null {
  const others = (passing.get(row.task_id) ?? []).filter((code) => code.trim() !== row.candidate.trim());
  if (others.length === 0) return row.reference;
  const draw = shareOf(`${row.task_id}\0${row.sample_id}`, "reference");
  if (row.reference !== null && draw >= passingReferenceShare) return row.reference;
  return others[Math.floor(shareOf(`${row.task_id}\0${row.sample_id}`, "which") * others.length)]!;
}

/** Lets a problem have only so many rows at PassRatio 0, and at 1, of models and of our making each. */
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
