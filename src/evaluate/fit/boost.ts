/** Trees fitted to labelled rows (`trees/`): what programs of each make pass, and which of them run at all. */
import { CodescoreError } from "../../errors.ts";
import { gate, loadGate } from "../../metrics/static/gate.ts";
import { loadRule, ruled } from "../../metrics/static/rule.ts";
import {
  type BoostOptions,
  boost,
  type Counts,
  compare,
  type Forest,
  type Grown,
  loadCounts,
  meanOf,
  TREES,
  vectorOf,
} from "../../trees/index.ts";
import type { LabelledRow } from "../../types.ts";
import { startProgress } from "../../util/progress.ts";

/** Programs that have an element, at least: of rarer ones nothing can be learned. */
const LEAST_PROGRAMS = 150;
/** Grown from as many seeds, and averaged. */
const FORESTS = 3;
/** Fewer say little. */
const LEAST_ROWS = 1000;

interface Example {
  readonly ours: Counts;
  readonly theirs: Counts | null;
  readonly passRatio: number;
  readonly executable: number;
  readonly weight: number;
  /** What is seen of its answers leaves it a chance: where not, its score is 0 whatever the trees say. */
  readonly open: boolean;
}

export interface FitTreesOptions extends Omit<BoostOptions, "onTree"> {
  /**
   * Names of the modules that programs can import: those of the model that the trees go beside, since it is gated by them when
   * it scores. @default those of Python 3.11's standard library
   */
  readonly modules?: ReadonlySet<string>;
  readonly progress?: boolean;
}

/**
 * Forests over the labelled rows that the static gate lets through, as heavy as their weights. Rows without a reference, or with
 * one that cannot be read, teach the forests of the candidate alone. Each forest is the mean of three, grown from
 * `options.seed` (1) on. The same rows and seed give the same trees. `progress` shows bars on stderr. Throws
 * `CodescoreError("input")` where there are fewer than 1,000 rows with a reference.
 */
export async function fitTrees(
  rows: readonly LabelledRow[],
  { modules, progress = false, ...given }: FitTreesOptions = {},
): Promise<Grown> {
  const examples = await readExamples(rows, modules, progress);
  const pairs = examples.filter(({ theirs }) => theirs !== null);
  if (pairs.length < LEAST_ROWS) {
    throw new CodescoreError(
      "input",
      `expected at least ${LEAST_ROWS} labelled rows with a reference whose programs parse, got ${pairs.length} of ${rows.length} rows`,
    );
  }
  const elements = commonElements(examples);
  const vectors = new Map<Counts, Float64Array>();
  const vector = (counts: Counts): Float64Array => {
    const known = vectors.get(counts) ?? vectorOf(counts, elements);
    vectors.set(counts, known);
    return known;
  };
  const alone = ({ ours }: Example): Float64Array => vector(ours);
  const compared = ({ ours, theirs }: Example): Float64Array => compare(vector(ours), vector(theirs!));
  const total = 4 * FORESTS * (given.trees ?? TREES);
  const bar = startProgress({ label: "grow", total, unit: "trees", quiet: !progress });
  const options = { ...given, onTree: () => bar.tick() };
  const grown = {
    elements,
    compared: {
      score: grow(
        pairs.filter(({ open }) => open),
        compared,
        passRatioOf,
        options,
      ),
      exec: grow(pairs, compared, executableOf, options),
    },
    alone: {
      score: grow(examples, alone, passRatioOf, options),
      exec: grow(examples, alone, executableOf, options),
    },
  };
  bar.done();
  return grown;
}

async function readExamples(
  rows: readonly LabelledRow[],
  modules: ReadonlySet<string> | undefined,
  progress: boolean,
): Promise<Example[]> {
  await loadGate();
  await loadRule();
  const counts = await loadCounts();
  const known = new Map<string, Counts | null>(); // of a problem many rows have the same reference
  const read = (source: string): Counts | null => {
    const before = known.get(source);
    if (before !== undefined) return before;
    const found = counts(source);
    known.set(source, found);
    return found;
  };
  const bar = startProgress({ label: "read", total: rows.length, unit: "programs", quiet: !progress });
  const examples = rows.flatMap(({ candidate, reference, pass_ratio, executable, weight }): Example[] => {
    bar.tick();
    if (pass_ratio === null || executable === null || weight === 0) return [];
    const ours = read(candidate);
    if (ours === null || gate(candidate, reference ?? "", modules) === 0) return [];
    const open = !reference || ruled(candidate, reference, modules).answers > 0;
    const theirs = reference ? read(reference) : null;
    return [{ ours, theirs, passRatio: pass_ratio, executable, weight: weight ?? 1, open }];
  });
  bar.done();
  return examples;
}

/** Elements that enough programs have, by name. */
function commonElements(examples: readonly Example[]): string[] {
  const programs = new Set(examples.flatMap(({ ours, theirs }) => (theirs === null ? [ours] : [ours, theirs])));
  const times = new Map<string, number>();
  for (const program of programs) {
    for (const element of program.keys()) times.set(element, (times.get(element) ?? 0) + 1);
  }
  return [...times].flatMap(([element, count]) => (count >= LEAST_PROGRAMS ? [element] : [])).sort();
}

const passRatioOf = ({ passRatio }: Example): number => passRatio;
const executableOf = ({ executable }: Example): number => executable;

function grow(
  examples: readonly Example[],
  vectorOf: (example: Example) => Float64Array,
  target: (example: Example) => number,
  options: BoostOptions,
): Forest {
  const features = Array.from(vectorOf(examples[0]!), () => new Float64Array(examples.length));
  for (const [i, example] of examples.entries()) {
    for (const [k, value] of vectorOf(example).entries()) features[k]![i] = value;
  }
  const weights = Float64Array.from(examples, ({ weight }) => weight);
  const rows = { features, targets: Float64Array.from(examples, target), weights };
  const first = options.seed ?? 1;
  return meanOf(Array.from({ length: FORESTS }, (_, i) => boost(rows, { ...options, seed: first + i })));
}
