/**
 * The rows of a run in the format that the report's page reads: one item per problem, with its trips as in the paper's Figure 3.
 * Repeated texts are stored once and referred to by number. A model at low temperature repeats itself, and every program of a
 * chain occurs twice.
 */
import { cut, visible } from "../../report/html.ts";
import { groupRows, mean } from "../../statistics/index.ts";
import { averageRanks, denseRanks } from "../../statistics/ranks.ts";
import type { Difference, StepRow } from "../identity/rows.ts";
import type { Recited } from "../trip/recited.ts";
import type { SampleRow } from "../trip/rows.ts";

/** The data that the page embeds. Numbers that stand for texts are indices into `texts`. */
export interface ReportItems {
  /** Names of the values, in the order of `Candidate.values`. */
  readonly sims: readonly string[];
  readonly texts: readonly string[];
  readonly items: readonly Item[];
}

export interface Item {
  readonly id: string;
  /** What made the round trip, and further texts of the task. */
  readonly parts: readonly Part[];
  readonly trips: readonly Trip[];
  /** For each value: its mean over the candidates, without the baseline. */
  readonly means: readonly (number | null)[];
  /** The largest spread of its candidates (see `withSpread`). */
  readonly spread: number | null;
}

export interface Part {
  readonly title: string;
  readonly text: number;
  /** Code around the text. If it is present, the text is marked. */
  readonly above?: number;
  readonly below?: number;
  /** Whether to show the text as prose. */
  readonly prose?: true;
}

/** One description and all candidates that came from it. */
export interface Trip {
  readonly title: string;
  readonly baseline?: true;
  readonly description: number;
  readonly recited?: Pick<Recited, "run" | "share">;
  readonly cut?: true;
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly title: string;
  readonly code: number;
  /** The model's whole answer, if the code does not contain it. */
  readonly answer?: number;
  /** The text that it is compared with. Lines that are not in that text are marked. */
  readonly against?: number;
  readonly values: readonly (number | null)[];
  readonly yes: readonly (boolean | null)[];
  /** Further notes on this candidate. */
  readonly notes?: readonly string[];
}

/** The items of the rows of samples.jsonl. */
export function itemsOfSamples(rows: readonly SampleRow[], sims: readonly string[], repeats: number): ReportItems {
  const { texts, number } = interner();
  // Group by content too: the item may be a model's response, which differs between repeated runs.
  const whatWent = ({ task_id, input, reference }: SampleRow): string => JSON.stringify([task_id, input ?? reference]);
  const items = grouped(rows, whatWent).map(([, all]): Omit<Item, "spread"> => {
    const id = all[0]!.task_id;
    const trips = grouped(all, (row) => JSON.stringify([row.repeat, row.forward])).map(([, back]): Trip => {
      const { forward, repeat, description, description_cut: isCut, recited } = back[0]!;
      const sample = forward === null ? "baseline" : `forward sample ${forward + 1}`;
      return {
        title: repeats > 1 ? `Run ${repeat + 1}, ${sample}` : `${sample[0]!.toUpperCase()}${sample.slice(1)}`,
        ...(forward === null && { baseline: true }),
        description: number(description),
        ...(recited?.recited && { recited: { run: recited.run, share: round(recited.share) } }),
        ...(isCut && { cut: true }),
        candidates: back.map(({ backward, candidate, answer, reference, sims: values, passed }) => ({
          title: back.length > 1 ? `backward sample ${backward + 1}` : "backward sample",
          code: number(candidate),
          ...(!candidate.includes(answer.trim()) && { answer: number(answer) }),
          against: number(reference),
          values: sims.map((name) => rounded(values[name] ?? null)),
          yes: sims.map((name) => passed[name] ?? null),
        })),
      };
    });
    return { id: visible(id), parts: partsOf(all[0]!, number), trips, means: meansOf(trips, sims) };
  });
  return { sims: sims.map(visible), texts, items: withSpread(items, sims.length) };
}

/** The items of the rows of steps.jsonl. The values are the Test Output Match, the share of passed tests, then the similarities. */
export function itemsOfSteps(
  rows: readonly StepRow[],
  sims: readonly string[],
  thresholds: readonly (number | null)[],
): ReportItems {
  const { texts, number } = interner();
  const items = grouped(rows, (row) => row.task_id).map(([id, steps]): Omit<Item, "spread"> => {
    const trips = steps.map((row): Trip => {
      const values = [row.tom, row.pass_ratio, ...sims.map((name) => row.sims[name] ?? null)];
      return {
        title: row.step === 0 ? "Step 0" : `Step ${row.step}: described and written again`,
        description: number(row.description),
        ...(row.recited?.recited && { recited: { run: row.recited.run, share: round(row.recited.share) } }),
        candidates: [
          {
            title: "program",
            code: number(row.candidate),
            ...(!row.candidate.includes(row.answer.trim()) && { answer: number(row.answer) }),
            ...(row.reference !== null && { against: number(row.reference) }),
            values: values.map(rounded),
            yes: values.map((value, i) => {
              if (i === 1) return row.passed;
              const threshold = i === 0 ? 1 : (thresholds[i - 2] ?? null);
              return value === null || threshold === null ? null : value >= threshold;
            }),
            ...notesOf(row),
          },
        ],
      };
    });
    return { id: visible(id), parts: [], trips, means: meansOf(trips, ["", "", ...sims]) };
  });
  return { sims: ["TOM", "PassRatio", ...sims.map(visible)], texts, items: withSpread(items, sims.length + 2) };
}

const notesOf = ({ repeats, differences = [] }: StepRow): { notes?: readonly string[] } => {
  const notes = [
    ...(repeats ? [`The ${repeats} is the same as in the step before.`] : []),
    ...differences.map(({ test, recorded, here }: Difference) =>
      visible(`Test ${test + 1}: ${here} here, ${recorded} in the recording.`),
    ),
  ];
  return notes.length > 0 ? { notes } : {};
};

/** What made the round trip, with the code around it if that is known. */
function partsOf({ input, reference, shown = {} }: SampleRow, number: (text: string) => number): Part[] {
  const { above, below, ...others } = shown;
  const prose = { query: true, comment: true } as Readonly<Record<string, true | undefined>>;
  const further = Object.entries(others).map(([title, text]): Part => {
    return { title, text: number(text), ...(prose[title] && { prose: true }) };
  });
  const around = { ...(above && { above: number(above) }), ...(below && { below: number(below) }) };
  return [...further, { title: "input of the round trip", text: number(input ?? reference), ...around }];
}

/** Stores each text once, ready to be shown, and returns its number. */
function interner(): { texts: string[]; number: (text: string) => number } {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const number = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    return texts.push(visible(cut(text))) - 1;
  };
  return { texts, number };
}

const meansOf = (trips: readonly Trip[], sims: readonly string[]): (number | null)[] =>
  sims.map((_, i) => {
    const values = back(trips).flatMap(({ values }) => values[i] ?? []);
    return values.length === 0 ? null : round(mean(values));
  });

const back = (trips: readonly Trip[]): Candidate[] =>
  trips.flatMap(({ baseline, candidates }) => (baseline ? [] : candidates));

/**
 * Adds how far the values of an item's candidates disagree: the largest difference of a candidate's ranks, as shares of all
 * candidates. Ranks make similarities with different scales comparable.
 */
function withSpread(items: readonly Omit<Item, "spread">[], sims: number): Item[] {
  const all = items.flatMap(({ trips }) => back(trips));
  const ranks = Array.from({ length: sims }, (_, i) => {
    const there = all.filter(({ values }) => typeof values[i] === "number");
    const places = averageRanks(denseRanks(there.map(({ values }) => values[i]!)));
    return new Map(there.map((candidate, k) => [candidate, places[k]! / there.length]));
  });
  const spread = (candidate: Candidate): number[] => {
    const shares = ranks.flatMap((of) => of.get(candidate) ?? []);
    return shares.length < 2 ? [] : [Math.max(...shares) - Math.min(...shares)];
  };
  return items.map((item) => {
    const spreads = back(item.trips).flatMap(spread);
    return { ...item, spread: spreads.length === 0 ? null : round(Math.max(...spreads)) };
  });
}

const grouped = <T>(rows: readonly T[], keyOf: (row: T) => string): [string, T[]][] =>
  [...groupRows(rows.map(keyOf))].map(([key, members]) => [key, members.map((i) => rows[i]!)]);

const round = (value: number): number => Number(value.toFixed(4));
const rounded = (value: number | null): number | null => (value === null ? null : round(value));
