/** `codescore score --stdio`: a worker for one shard, between two pipes (docs/clusters.md). */
import { CodescoreError } from "../../errors.ts";
import { brokenRow, type InputRow, type ScorerOptions, toInputRow } from "../../score/index.ts";
import { answerRows, type InRow, lineOf } from "../../util/row-stream.ts";
import { workerColumns, workerRow } from "./output.ts";
import { openRun } from "./run.ts";
import type { Flags } from "./use.ts";

const ALONE = [
  "input",
  "as",
  "json",
  "rank",
  "best",
  "failUnder",
  "failOn",
  "explain",
  "explainHtml",
  "reference",
  "description",
] as const;

/** Ends when stdin ends. With `--run` and `--consensus` all rows of a task must be in one batch, because they are compared with each other. */
export async function scoreStdio(flags: Flags, options: ScorerOptions): Promise<void> {
  const alone = flags.output === "-" ? ALONE.find((name) => flags[name] !== undefined) : "output";
  if (alone !== undefined) {
    const name = alone.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CodescoreError(
      "usage",
      `--${name} cannot be used with --stdio, which writes one row for each row that it reads`,
    );
  }
  const { CodeScorer, scoreRows, Summary } = await import("../../score/index.ts");
  const { packageVersion } = await import("../../util/files.ts");
  const { format, consensus, run, inputs, seed, until } = flags;
  const runs = await openRun(flags);
  try {
    const scorer = await CodeScorer.load(flags.model, options);
    try {
      const settings = {
        codescore: await packageVersion(),
        signature: scorer.signatureOf(format),
        ...(run && { run: { inputs, seed, until } }),
      };
      const answer = (rows: AsyncIterable<InRow>) => {
        const summary = new Summary();
        async function* out() {
          const found = scoreRows(scorer, inputRows(rows), {
            format,
            ...runs.options,
            note: (result) => runs.note(result),
            consensus: consensus === true && !run,
            onResult: (result) => summary.add(result),
          });
          for await (const row of found) yield workerRow(row);
        }
        return { rows: out(), card: () => ({ summary }) };
      };
      await answerRows({ input: process.stdin, output: process.stdout, columns: workerColumns, settings, answer });
    } finally {
      await scorer.close();
    }
  } finally {
    await runs.close();
  }
}

/** The id of a row without one is its index in its batch. */
async function* inputRows(rows: AsyncIterable<InRow>): AsyncGenerator<InputRow> {
  let index = 0;
  for await (const row of rows) {
    const line = lineOf(row);
    yield line instanceof CodescoreError ? brokenRow(index, line.message) : toInputRow(line, index);
    index += 1;
  }
}
