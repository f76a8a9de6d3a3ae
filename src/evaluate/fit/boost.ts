/** Fits trees (`trees/`) to labelled rows. They predict from a program's syntax whether it passes, and whether it runs at all. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import {
  type BoostOptions,
  boost,
  type Counts,
  compare,
  type Forest,
  type Grown,
  meanOf,
  TREES,
  vectorOf,
} from "../../trees/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { packageRoot } from "../../util/files.ts";
import { mapInThreads } from "../../util/job-pool.ts";
import { startProgress } from "../../util/progress.ts";
import { loadPrograms, type Programs, type ReadPrograms } from "./programs.ts";

/** Minimum number of programs that have an element. Nothing can be learned about rarer elements. */
const LEAST_PROGRAMS = 150;
/** Number of forests that are grown from different seeds and averaged. */
const FORESTS = 3;
/** Entry file of a thread. Node must be able to read it, so it is the built file, also when this runs from `src/`. */
const entry = join(packageRoot, "dist", "evaluate", "fit", "programs-worker.js");
/** Minimum number of rows. Fewer do not tell enough. */
const LEAST_ROWS = 1000;

interface Example extends ReadPrograms {
  readonly passRatio: number;
  readonly executable: number;
  readonly weight: number;
}

export interface FitTreesOptions extends Omit<BoostOptions, "onTree"> {
  /**
   * Names of the modules that programs can import. Use those of the model that the trees accompany, because that model's gate
   * uses them when it scores. @default those of Python 3.11's standard library
   */
  readonly modules?: ReadonlySet<string>;
  readonly progress?: boolean;
  /** Number of threads that read programs, this one included. @default half of the cores, at most 16 */
  readonly threads?: number;
}

/**
 * Fits forests to the labelled rows that pass the static gate, with the rows' weights. Rows whose reference is missing or
 * unreadable train only the forests of the candidate alone. Each forest is the mean of three, with seeds from `options.seed` (1)
 * on. The same rows and seed give the same trees. `progress` shows bars on stderr. Throws `CodescoreError("input")` if fewer than
 * 1,000 rows have a reference.
 */
export async function fitTrees(
  rows: readonly LabelledRow[],
  { modules, progress = false, threads, ...given }: FitTreesOptions = {},
): Promise<Grown> {
  const examples = await readExamples(rows, modules, progress, threads);
  const pairs = examples.filter(({ theirs }) => theirs !== null);
  if (pairs.length < LEAST_ROWS) {
    throw new CodescoreError(
      "input",
      `expected at least ${LEAST_ROWS} labelled rows with a reference whose programs parse, got ${pairs.length} of ${counted(rows.length, "row")}`,
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
  threads: number | undefined,
): Promise<Example[]> {
  const labelled = rows.filter(
    ({ pass_ratio, executable, weight }) => pass_ratio !== null && executable !== null && weight !== 0,
  );
  const bar = startProgress({ label: "read", total: labelled.length, unit: "programs", quiet: !progress });
  const read = await loadPrograms(modules);
  const found = await mapInThreads<Programs, ReadPrograms | null>(
    labelled.map(({ candidate, reference }) => ({ candidate, reference })),
    {
      entry,
      data: { modules },
      threads,
      job: "read",
      one: (item) => read(item),
      onDone: (items) => bar.tick(items),
    },
  );
  bar.done();
  // Many rows of a problem have the same reference. It counts as one program.
  const known = new Map<string, Counts>();
  const once = (source: string, counts: Counts): Counts => {
    if (!known.has(source)) known.set(source, counts);
    return known.get(source)!;
  };
  return labelled.flatMap(({ candidate, reference, pass_ratio, executable, weight }, i): Example[] => {
    const programs = found[i];
    if (!programs) return [];
    const { ours, theirs, open } = programs;
    return [
      {
        ours: once(candidate, ours),
        theirs: theirs && once(reference!, theirs),
        passRatio: pass_ratio!,
        executable: executable!,
        weight: weight ?? 1,
        open,
      },
    ];
  });
}

/** Names of the elements that enough programs have, sorted. */
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
