/** `codescore score --explain`: which lines of a candidate cost it its score, for people and as one HTML file. */
import pc from "picocolors";
import { CodescoreError } from "../errors.ts";
import type { Explained } from "../evaluate/index.ts";
import type { CodeScorer, LineEffect, ScoreError, ScoreResult } from "../score/index.ts";
import type { InputFormat, ScoreInput } from "../types.ts";

/** Lines shown in the terminal; the file has them all. */
const SHOWN = 10;
const BAR = 12;

/** Explains rows as they are scored and keeps what the file needs. */
export class Explainer {
  readonly #scorer: Pick<CodeScorer, "scoreAll">;
  readonly #format: InputFormat | "auto";
  readonly #path: string | undefined;
  readonly #explained: Explained[] = [];

  constructor(scorer: Pick<CodeScorer, "scoreAll">, format: InputFormat | "auto", path?: string) {
    this.#scorer = scorer;
    this.#format = format;
    this.#path = path;
  }

  /** The effects of the row's lines, none for a row without a score; or why there are none. The rest goes on without. */
  async explain(
    row: ScoreInput & { readonly id: unknown },
    result: ScoreResult,
  ): Promise<readonly LineEffect[] | ScoreError> {
    if ("error" in result) return [];
    const { explain } = await import("../score/index.ts");
    let lines: readonly LineEffect[];
    try {
      lines = await explain(this.#scorer, row, { format: this.#format });
    } catch (error) {
      if (!(error instanceof CodescoreError)) throw error;
      return { error: { code: error.code, message: `the lines cannot be explained: ${error.message}` } };
    }
    if (this.#path !== undefined) {
      const { candidate, reference = null, description = null } = row;
      const name = typeof row.id === "string" ? row.id : JSON.stringify(row.id);
      this.#explained.push({ name, candidate, reference, description, score: result, lines });
    }
    return lines;
  }

  /** Writes the file where one was asked for. */
  async finish(): Promise<void> {
    if (this.#path === undefined) return;
    const { renderExplanations } = await import("../evaluate/index.ts");
    const { writeAtomic } = await import("../util/files.ts");
    await writeAtomic(this.#path, renderExplanations("What the lines do to the score", this.#explained));
    process.stderr.write(`wrote ${this.#path}\n`);
  }
}

/** The lines that cost the most, worst first. @param color where the text goes to a terminal */
export function showEffects(lines: readonly LineEffect[], color: boolean): string {
  const { red, dim } = pc.createColors(color && pc.isColorSupported);
  const costly = lines.filter(({ effect }) => effect <= -0.0005).sort((a, b) => a.effect - b.effect);
  if (costly.length === 0) return `  ${dim("no line lowers the score")}\n`;
  const worst = costly[0]!.effect;
  const shown = costly.slice(0, SHOWN).map(({ line, text, effect }) => {
    const bar = "#".repeat(Math.max(1, Math.round((BAR * effect) / worst)));
    const first = text
      .split("\n", 1)[0]!
      .replace(/[\p{Cc}\p{Cf}]/gu, " ")
      .slice(0, 100);
    return `  ${dim(`line ${String(line).padStart(4)}`)}  ${effect.toFixed(3)}  ${red(bar.padEnd(BAR))}  ${first}\n`;
  });
  const more = costly.length - shown.length;
  return shown.join("") + (more > 0 ? `  ${dim(`and ${more} more that lower it`)}\n` : "");
}
