/** `codescore score --explain`: what is seen to fail, and which lines cost the score, for people and as one HTML file. */
import pc from "picocolors";
import { CodescoreError } from "../../errors.ts";
import type { Explained } from "../../evaluate/index.ts";
import type { CodeScorer, Explanation, LineEffect, ScoreError, ScoreResult } from "../../score/index.ts";
import type { InputFormat, ScoreInput } from "../../types.ts";

/** Lines shown in the terminal; the file has them all. */
const SHOWN = 10;
const BAR = 12;

/** Explains rows as they are scored and keeps what the file needs. */
export class Explainer {
  readonly #scorer: Pick<CodeScorer, "scoreAll" | "modules">;
  readonly #format: InputFormat | "auto";
  readonly #path: string | undefined;
  readonly #explained: Explained[] = [];

  constructor(scorer: Pick<CodeScorer, "scoreAll" | "modules">, format: InputFormat | "auto", path?: string) {
    this.#scorer = scorer;
    this.#format = format;
    this.#path = path;
  }

  /** Null for a row without a score; or why there is none. The rest goes on without. */
  async explain(
    row: ScoreInput & { readonly id: unknown },
    result: ScoreResult,
  ): Promise<Explanation | ScoreError | null> {
    if ("error" in result) return null;
    const { explain } = await import("../../score/index.ts");
    let explanation: Explanation;
    try {
      explanation = await explain(this.#scorer, row, { format: this.#format });
    } catch (error) {
      if (!(error instanceof CodescoreError)) throw error;
      return { error: { code: error.code, message: `the lines cannot be explained: ${error.message}` } };
    }
    if (this.#path !== undefined) {
      const { candidate, reference = null, description = null } = row;
      const name = typeof row.id === "string" ? row.id : JSON.stringify(row.id);
      this.#explained.push({ name, candidate, reference, description, score: result, ...explanation });
    }
    return explanation;
  }

  /** Writes the file where one was asked for. */
  async finish(): Promise<void> {
    if (this.#path === undefined) return;
    const { renderExplanations } = await import("../../evaluate/index.ts");
    const { writeAtomic } = await import("../../util/files.ts");
    await writeAtomic(this.#path, renderExplanations("What the lines do to the score", this.#explained));
    process.stderr.write(`wrote ${this.#path}\n`);
  }
}

/** What is seen to fail, then the lines that cost the most, worst first. @param color where the text goes to a terminal */
export function showExplanation({ findings, lines }: Explanation, color: boolean): string {
  const colors = pc.createColors(color && pc.isColorSupported);
  const seen = findings.map(({ line, what }) => {
    const place = line === null ? "" : `line ${String(line).padStart(4)}`;
    return `  ${colors.dim(place.padEnd(9))}  ${plain(what)}\n`;
  });
  const effects = showEffects(lines, colors);
  if (effects === "" && seen.length === 0) return `  ${colors.dim("no line lowers the score")}\n`;
  return seen.join("") + effects;
}

function showEffects(lines: readonly LineEffect[], { red, dim }: ReturnType<typeof pc.createColors>): string {
  const costly = lines.filter(({ effect }) => effect <= -0.0005).sort((a, b) => a.effect - b.effect);
  if (costly.length === 0) return "";
  const worst = costly[0]!.effect;
  const shown = costly.slice(0, SHOWN).map(({ line, text, effect }) => {
    const bar = "#".repeat(Math.max(1, Math.round((BAR * effect) / worst)));
    const first = plain(text.split("\n", 1)[0]!).slice(0, 100);
    return `  ${dim(`line ${String(line).padStart(4)}`)}  ${effect.toFixed(3)}  ${red(bar.padEnd(BAR))}  ${first}\n`;
  });
  const more = costly.length - shown.length;
  return shown.join("") + (more > 0 ? `  ${dim(`and ${more} more that lower it`)}\n` : "");
}

/** Without what acts on a terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
