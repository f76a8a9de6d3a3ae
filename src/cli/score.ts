import { readFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { CodescoreError, messageOf } from "../errors.ts";
import type { CodeScorer, ScoreResult, ScoreRow } from "../score/index.ts";
import type { InputFormat } from "../types.ts";
import { integer, markIncomplete, number } from "./options.ts";

interface Flags {
  readonly input?: string;
  readonly output: string;
  readonly reference?: string;
  readonly description?: string;
  readonly model?: string;
  readonly format: InputFormat | "auto";
  readonly json?: true;
  readonly failUnder?: number;
  readonly threads?: number;
}

export const scoreVerb = (): Command =>
  new Command("score")
    .description("score candidates against a reference, a description or both; nothing is executed")
    .argument("[candidates...]", "Python files to score")
    .option("--reference <file>", "a correct program")
    .option("--description <file>", "what the program should do, as text")
    .option("--input <file>", "JSON lines {id, candidate, reference?, description?, prompt?}; - is stdin")
    .option("--output <file>", "where the scored rows of --input go; - is stdout", "-")
    .option("--model <dir>", "model folder (default: the shipped model)")
    .addOption(
      new Option("--format <format>", "which parts to look at")
        .choices(["auto", "ref", "nl", "ref+nl"])
        .default("auto"),
    )
    .option("--json", "print JSON lines for candidate files, too")
    .option("--fail-under <score>", "exit with 1 when a candidate file scores less", number(0, 1))
    .option("--threads <n>", "threads (default: the number of cores)", integer(1))
    .addHelpText(
      "after",
      `
Examples:
  codescore score --reference ref.py candidate.py
  codescore score --description task.txt a.py b.py --fail-under 0.8
  codescore score --input pairs.jsonl --output scores.jsonl
  cat pairs.jsonl | codescore score > scores.jsonl`,
    )
    .action(async (candidates: string[], flags: Flags) => {
      const fromFiles = candidates.length > 0;
      if (fromFiles && flags.input !== undefined)
        throw new CodescoreError("usage", "give candidate files or --input, not both");
      if (fromFiles && flags.output !== "-") {
        throw new CodescoreError("usage", "--output goes with --input; for candidate files redirect stdout (--json)");
      }
      if (!fromFiles && (flags.reference ?? flags.description) !== undefined) {
        throw new CodescoreError(
          "usage",
          "--reference and --description go with candidate files; rows bring their own",
        );
      }
      if (!fromFiles && flags.input === undefined && process.stdin.isTTY) {
        throw new CodescoreError(
          "usage",
          "nothing to score: give candidate files, --input FILE, or rows on stdin (codescore score --help)",
        );
      }
      const { CodeScorer } = await import("../score/index.ts");
      const scorer = await CodeScorer.load(flags.model, flags.threads === undefined ? {} : { threads: flags.threads });
      try {
        await (fromFiles ? scoreFiles(scorer, candidates, flags) : scoreLines(scorer, flags));
      } finally {
        await scorer.close();
      }
    });

async function scoreFiles(scorer: CodeScorer, candidates: readonly string[], flags: Flags): Promise<void> {
  const read = (path: string | undefined): Promise<string | null> =>
    path === undefined
      ? Promise.resolve(null)
      : readFile(path, "utf8").catch((error: unknown) => {
          throw new CodescoreError("input", `cannot read ${path}: ${messageOf(error)}`);
        });
  const reference = await read(flags.reference);
  const description = await read(flags.description);
  const rows = await Promise.all(
    candidates.map(async (path) => ({ candidate: (await read(path)) as string, reference, description })),
  );
  const results = await scorer.scoreAll(rows, { format: flags.format });
  const width = Math.max(...candidates.map((path) => path.length));
  for (const [i, result] of results.entries()) {
    const path = candidates[i]!;
    if ("error" in result) {
      if (flags.json) process.stdout.write(`${JSON.stringify({ id: path, ...result })}\n`);
      else process.stderr.write(`codescore: ${path}: ${result.error.message}\n`);
      markIncomplete();
      continue;
    }
    if (flags.json) process.stdout.write(`${JSON.stringify({ id: path, ...result })}\n`);
    else
      process.stdout.write(`${path.padEnd(width)}  score ${result.score.toFixed(3)}  exec ${result.exec.toFixed(3)}\n`);
    if (flags.failUnder !== undefined && result.score < flags.failUnder) markIncomplete();
  }
  if (!flags.json) process.stderr.write(`${scorer.signatureOf(flags.format)}\n`);
}

async function scoreLines(scorer: CodeScorer, flags: Flags): Promise<void> {
  const { readJsonLines, writeJsonLines } = await import("../util/jsonl.ts");
  const { toScoreRow } = await import("../score/index.ts");
  const input = flags.input ?? "-";
  const count = { rows: 0, errors: 0, cut: 0 };
  async function* rows(): AsyncGenerator<ScoreRow> {
    let index = 0;
    for await (const line of readJsonLines(input)) yield toScoreRow(line, index++);
    if (index === 0)
      throw new CodescoreError(
        "input",
        `${input === "-" ? "stdin" : input} is empty: expected JSON lines {id, candidate, reference?, description?}`,
      );
  }
  async function* scored(): AsyncGenerator<object> {
    for await (const { row, result } of scorer.score(rows(), { format: flags.format })) {
      tally(count, result);
      yield { id: row.id, ...result };
    }
  }
  const began = performance.now();
  await writeJsonLines(flags.output, scored());
  const seconds = (performance.now() - began) / 1000;
  const notes = [
    count.cut > 0 ? `${count.cut} cut to fit` : "",
    count.errors > 0 ? `${count.errors} with an error` : "",
  ].filter(Boolean);
  process.stderr.write(
    `scored ${count.rows} rows in ${seconds.toFixed(1)} s (${(count.rows / seconds).toFixed(0)}/s)${notes.map((note) => `, ${note}`).join("")}; ${scorer.signatureOf(flags.format)}\n`,
  );
  if (flags.output !== "-") process.stderr.write(`wrote ${flags.output}\n`);
  if (count.errors > 0) markIncomplete();
}

function tally(count: { rows: number; errors: number; cut: number }, result: ScoreResult): void {
  count.rows += 1;
  if ("error" in result) count.errors += 1;
  else if (result.cut !== undefined) count.cut += 1;
}
