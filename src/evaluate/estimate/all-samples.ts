/** Joins the labels of a few programs with all samples from which these programs were drawn. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { someIds } from "../measure/match-scores.ts";

/** A sample as its file names it. */
export interface KnownSample {
  readonly task_id: string;
  readonly sample_id: string;
  /** Null if the file has only ids. */
  readonly text: string | null;
  /** The row has no id of its own. Its id counts the rows of its task, so it is another one in a file of fewer samples. */
  readonly isCounted: boolean;
}

/**
 * One row per sample, in the order of the samples. Those that are not among the labelled rows have no label. Throws
 * `CodescoreError("input")` for repeated ids, and if a labelled row is not among the samples or has another program.
 */
export function joinSamples(
  { rows, path }: { readonly rows: readonly LabelledRow[]; readonly path: string },
  samples: readonly KnownSample[],
): LabelledRow[] {
  const key = ({ task_id, sample_id }: Pick<KnownSample, "task_id" | "sample_id">): string =>
    JSON.stringify([task_id, sample_id]);
  const bad = (message: string): CodescoreError => new CodescoreError("input", message);
  const labels = new Map(rows.map((row) => [key(row), row]));
  const known = new Map(samples.map((sample) => [key(sample), sample]));
  if (known.size < samples.length) {
    const repeated = samples.filter((sample) => known.get(key(sample)) !== sample);
    throw bad(
      `--samples: ${counted(repeated.length, "sample")} with the id of a later one: ${someIds(repeated)}; give each its own \`sample_id\``,
    );
  }
  if (labels.size < rows.length) {
    const repeated = rows.filter((row) => labels.get(key(row)) !== row);
    throw bad(`${path}: ${counted(repeated.length, "row")} with the id of a later one: ${someIds(repeated)}`);
  }
  const missing = rows.filter((row) => !known.has(key(row)));
  if (missing.length > 0) {
    throw bad(
      `${path}: ${missing.length} of ${counted(rows.length, "labelled row")} not among the samples: ${someIds(missing)}; expected the same \`task_id\` and \`sample_id\` in both`,
    );
  }
  const others = rows.filter((row) => !isSame(row, known.get(key(row))!));
  if (others.length > 0) {
    throw bad(
      `${path}: ${counted(others.length, "labelled row")} with another program than the sample of the same id: ${someIds(others)}; without a \`sample_id\` ids count the rows of a task: give each sample its own before you draw some`,
    );
  }
  return samples.map((sample) => labels.get(key(sample)) ?? unlabelled(sample));
}

/** A candidate is its sample's text without prose, or with the prompt. Ids that files give are believed. */
function isSame({ candidate }: LabelledRow, { text, isCounted }: KnownSample): boolean {
  if (text === null || !isCounted) return true;
  const [ours, theirs] = [candidate, text].map((code) => code.replace(/\s+/g, "")) as [string, string];
  return ours.includes(theirs) || theirs.includes(ours);
}

const unlabelled = ({ task_id, sample_id, text }: KnownSample): LabelledRow => ({
  ...{ task_id, sample_id, source: "unknown", made_by: "unknown", temperature: null, candidate: text ?? "" },
  ...{ reference: null, description: null, pass_ratio: null, executable: null, n_tests: 0, n_passed: 0, n_opaque: 0 },
  ...{ passes_base: null, status: "no_label" as const, first_error: null, reason: null, weight: 1 },
});
