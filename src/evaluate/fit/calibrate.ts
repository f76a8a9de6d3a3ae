/**
 * Calibrates a model on labelled rows of problems that it was not trained on. Fits maps from its scores to PassRatio and
 * Executability, and intervals that contain the PassRatio as often as they claim, and measures both on problems left out.
 */
import { CodescoreError } from "../../errors.ts";
import type { Table } from "../../report/tables.ts";
import {
  Calibration,
  type CalibrationFile,
  type CalibrationMap,
  COVERAGES,
  type CodeScorer,
  type FormatCalibration,
} from "../../score/index.ts";
import {
  clusterQuantile,
  expectedCalibrationError,
  groupRows,
  isotonicKnots,
  mean,
  meanAbsoluteError,
  type Numbers,
  plattSigmoid,
} from "../../statistics/index.ts";
import type { InputFormat, LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { startProgress } from "../../util/progress.ts";
import { Random } from "../../util/random.ts";
import { fitSpread, levelOf } from "./spread.ts";

/** A labelled row with its raw scores. */
export interface Observation {
  readonly problem: string;
  readonly score: number;
  readonly exec: number;
  readonly passRatio: number;
  readonly executable: 0 | 1;
}

/** Quality of a calibration on problems that it was not fitted on (five folds of problems). */
export interface CalibrationQuality {
  readonly rows: number;
  readonly problems: number;
  /** Expected calibration error and mean absolute error, each before and after calibration. */
  readonly ece: readonly [number, number];
  readonly eceMass: readonly [number, number];
  readonly mae: readonly [number, number];
  readonly execEce: readonly [number, number];
  /** For intervals at a coverage of 0.9: the share that contains the PassRatio, with equal weight per problem; and the mean width. */
  readonly coverage: number;
  readonly width: number;
}

export type Method = CalibrationFile["method"];
export type Calibrated = FormatCalibration & { readonly quality: CalibrationQuality };

const FORMATS = ["ref", "nl", "ref+nl"] as const;
const FOLDS = 5;
/** Interval levels come from each half of the problems against the spread of the other. More folds gave intervals too narrow for new sources. */
const HALVES = 2;
/** Minimum data for a calibration. A format with less is left uncalibrated. */
export const LEAST = { rows: 200, problems: 20 };
const SEED = 1;

export interface FitOptions {
  /** @default false */
  readonly everyOutcome?: boolean;
}

/** The source of a problem: `MBPP/4` is from `MBPP`, and so is its rewording `MBPPT/4`. */
export const sourceOf = (problem: string): string => problem.split("/")[0]!.replace(/^MBPPT$/, "MBPP");

const outcomeOf = ({ passRatio }: Observation): string => (passRatio === 0 ? "none" : passRatio === 1 ? "all" : "some");

/**
 * Fits a format's maps and intervals. The spread of labels comes from all problems. The interval levels come from each half of
 * the problems against the spread of the other (cross-conformal prediction, Vovk 2015), and must also hold for each source of
 * problems alone: the worst one counts. `everyOutcome`: they must also hold separately for programs that pass no test, some, and
 * all (label-conditional conformal prediction, Vovk 2012), over all sources and within each, so that they stay valid where more
 * programs fail than here. Groups of fewer than 20 problems are not checked separately.
 */
export function fitCalibration(
  rows: readonly Observation[],
  method: Method,
  { everyOutcome = false }: FitOptions = {},
): FormatCalibration {
  const parts = folds(rows, HALVES);
  const checked = parts.flatMap((part, k) => {
    const others = parts.filter((_, other) => other !== k).flat();
    const rest = fitSpread(others);
    return part.map((row) => ({ row, level: levelOf(rest, row.score, row.passRatio) }));
  });
  const groupsBy = (key: (row: Observation) => string): number[][] =>
    [...groupRows(checked.map(({ row }) => key(row))).values()].filter(
      (places) => new Set(places.map((i) => checked[i]!.row.problem)).size >= LEAST.problems,
    );
  const groups = [
    checked.map((_, i) => i),
    ...groupsBy(({ problem }) => sourceOf(problem)),
    ...(everyOutcome ? groupsBy(outcomeOf) : []),
    ...(everyOutcome ? groupsBy((row) => `${sourceOf(row.problem)} ${outcomeOf(row)}`) : []),
  ];
  return {
    score: fitMap(method, column(rows, "score"), column(rows, "passRatio")),
    exec: fitMap(method, column(rows, "exec"), column(rows, "executable")),
    spread: {
      ...fitSpread(rows),
      levels: COVERAGES.map((coverage) => {
        const level = Math.max(
          ...groups.map((places) =>
            clusterQuantile(
              places.map((i) => checked[i]!.level),
              places.map((i) => checked[i]!.row.problem),
              coverage,
            ),
          ),
        );
        return Number.isFinite(level) ? level : null;
      }),
    },
  };
}

function fitMap(method: Method, scores: Numbers, labels: Numbers): CalibrationMap | null {
  if (method === "none") return null;
  return method === "platt" ? plattSigmoid(scores, labels) : isotonicKnots(scores, labels);
}

/** Fits on all problems except a fifth and measures on that fifth, five times. */
export function crossFit(rows: readonly Observation[], method: Method, options: FitOptions = {}): CalibrationQuality {
  const parts = folds(rows, FOLDS);
  const fitted = parts.flatMap((part, k) => {
    const rest = parts.filter((_, other) => other !== k).flat();
    const formats = { ref: fitCalibration(rest, method, options) };
    const calibration = new Calibration("", { version: 1, method, models: {}, formats }, { coverage: 0.9 });
    return part.map((row) => ({ ...row, after: calibration.apply(row, "ref") }));
  });
  const [score, exec] = [column(fitted, "score"), column(fitted, "exec")];
  const [passRatio, executable] = [column(fitted, "passRatio"), column(fitted, "executable")];
  const after = fitted.map((row) => row.after);
  const ece = (scores: Numbers, labels: Numbers, binning: "width" | "mass" = "width"): number =>
    expectedCalibrationError(scores, labels, { binning });
  const isHeld = after.map(({ low = 0, high = 1 }, i) => low - 1e-9 <= passRatio[i]! && passRatio[i]! <= high + 1e-9);
  const problems = [...groupRows(fitted.map(({ problem }) => problem)).values()];
  return {
    rows: rows.length,
    problems: problems.length,
    ece: [ece(score, passRatio), ece(column(after, "score"), passRatio)],
    eceMass: [ece(score, passRatio, "mass"), ece(column(after, "score"), passRatio, "mass")],
    mae: [meanAbsoluteError(score, passRatio), meanAbsoluteError(column(after, "score"), passRatio)],
    execEce: [ece(exec, executable), ece(column(after, "exec"), executable)],
    coverage: mean(problems.map((group) => mean(group.map((i) => Number(isHeld[i]))))),
    width: mean(after.map(({ low = 0, high = 1 }) => high - low)),
  };
}

/** Splits rows into `count` parts of whole problems. The parts are the same on every call. */
export function folds<Row extends { readonly problem: string }>(rows: readonly Row[], count: number): Row[][] {
  const problems = new Random(SEED).shuffle([...groupRows(rows.map(({ problem }) => problem)).values()]);
  const parts = Array.from({ length: count }, (): Row[] => []);
  problems.forEach((group, k) => {
    parts[k % count]!.push(...group.map((i) => rows[i]!));
  });
  return parts;
}

const column = <K extends string>(rows: readonly Readonly<Record<K, number>>[], name: K): number[] =>
  rows.map((row) => row[name]);

/**
 * Scores labelled rows in every format that they allow and calibrates each format. Leaves out formats with fewer than 200 rows or 20 problems,
 * and does not score them. `scorer` must give raw scores: load it with `calibration: false`. Throws `CodescoreError("input")` if no format is left.
 */
export async function calibrate(
  scorer: Pick<CodeScorer, "scoreAll">,
  rows: readonly LabelledRow[],
  { method = "isotonic", progress = false }: { readonly method?: Method; readonly progress?: boolean } = {},
): Promise<Partial<Record<InputFormat, Calibrated>>> {
  const labelled = rows.filter((row) => row.pass_ratio !== null && row.executable !== null);
  const found: Partial<Record<InputFormat, Calibrated>> = {};
  let most = 0;
  for (const format of FORMATS) {
    const own = labelled.filter(
      ({ reference, description }) => (format === "nl" || reference) && (format === "ref" || description),
    );
    const observed = isEnough(own.map(({ task_id }) => task_id)) ? await observe(scorer, own, format, progress) : null;
    most = Math.max(most, (observed ?? own).length);
    if (observed === null || !isEnough(observed.map(({ problem }) => problem))) continue;
    const options = { everyOutcome: true };
    found[format] = {
      ...fitCalibration(observed, method, options),
      quality: crossFit(observed, method, options),
    };
  }
  if (Object.keys(found).length > 0) return found;
  throw new CodescoreError(
    "input",
    `expected at least ${LEAST.rows} labelled rows of ${LEAST.problems} problems in one input format, got ${counted(most, "row")} of ${counted(new Set(labelled.map(({ task_id }) => task_id)).size, "problem")}`,
  );
}

/** Whether a calibration can be fitted to rows of these problems, one per row. */
const isEnough = (problems: readonly string[]): boolean =>
  problems.length >= LEAST.rows && new Set(problems).size >= LEAST.problems;

const WINDOW = 256;

async function observe(
  scorer: Pick<CodeScorer, "scoreAll">,
  rows: readonly LabelledRow[],
  format: InputFormat,
  progress: boolean,
): Promise<Observation[]> {
  const bar = startProgress({ label: `score ${format}`, total: rows.length, unit: "programs", quiet: !progress });
  const out: Observation[] = [];
  for (let from = 0; from < rows.length; from += WINDOW) {
    const window = rows.slice(from, from + WINDOW);
    const results = await scorer.scoreAll(
      window.map(({ candidate, reference, description }) => ({ candidate, reference, description })),
      { format },
    );
    for (const [i, result] of results.entries()) {
      if ("error" in result) continue;
      const { task_id: problem, pass_ratio, executable } = window[i]!;
      out.push({
        problem,
        score: result.score,
        exec: result.exec,
        passRatio: pass_ratio as number,
        executable: executable as 0 | 1,
      });
    }
    bar.tick(window.length);
  }
  bar.done();
  return out;
}

/** One row per format: figures before and after calibration, on problems left out of the fit. */
export function calibrationTable(found: Partial<Record<InputFormat, Calibrated>>): Table {
  const pairs = ["ECE", "ECE mass", "MAE", "Exec ECE"].flatMap((label) => [{ label: `${label} raw` }, { label }]);
  return {
    columns: [
      { label: "format" },
      { label: "rows", digits: 0 },
      { label: "problems", digits: 0 },
      ...pairs,
      { label: "coverage at 0.9" },
      { label: "width" },
    ],
    rows: Object.entries(found).map(([format, { quality: q }]) => [
      format,
      q.rows,
      q.problems,
      ...q.ece,
      ...q.eceMass,
      ...q.mae,
      ...q.execEce,
      q.coverage,
      q.width,
    ]),
  };
}
