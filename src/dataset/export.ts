/** Copies a labelled set into another file format, with a manifest that names the set it came from. */
import { checkOutput, readExamples, writeExamples } from "./examples.ts";
import { type Counts, executorOf, Tally, writeManifest } from "./manifest.ts";

/** The ending of `out` chooses the format: `.parquet`, `.arrow`, `.jsonl`. Throws as `readExamples` and `checkOutput` do. */
export async function exportSet(from: string, out: string): Promise<Counts> {
  checkOutput(out);
  const tally = new Tally();
  await writeExamples(out, tally.count(readExamples(from)));
  await writeManifest(out, { sources: [from], how: { executor: await executorOf(from), exported: true }, tally });
  return tally.counts;
}
