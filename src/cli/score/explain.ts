/** `codescore score --explain`: the faults found, and the lines that cost the most score, for the terminal and as one HTML file. */
import pc from "picocolors";
import type { Explained } from "../../evaluate/index.ts";
import type { Difference, Explanation, InputRow, LineEffect, SourceLine } from "../../score/index.ts";
import type { Score } from "../../types.ts";

/** Maximum number of lines shown in the terminal. The HTML file has all of them. */
const SHOWN = 10;
const BAR = 12;

/** Collects the explanations of rows for the HTML file. */
export class ExplanationPage {
  readonly #path: string;
  readonly #explained: Explained[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  add({ id, candidate, reference = null, description = null }: InputRow, score: Score, explanation: Explanation): void {
    const name = typeof id === "string" ? id : JSON.stringify(id);
    this.#explained.push({ name, candidate, reference, description, score, ...explanation });
  }

  async write(): Promise<void> {
    const { renderExplanations } = await import("../../evaluate/index.ts");
    const { writeAtomic } = await import("../../util/files.ts");
    await writeAtomic(this.#path, renderExplanations("Scores explained", this.#explained));
    process.stderr.write(`wrote ${this.#path}\n`);
  }
}

/**
 * The faults found, then the lines that cost the most, worst first, then the differences from the reference.
 * @param color whether to use colours @param decided whether a fault or the run decided, whatever the effects of lines
 */
export function showExplanation(
  { findings, lines, differences }: Explanation,
  color: boolean,
  decided: boolean,
): string {
  const colors = pc.createColors(color && pc.isColorSupported);
  const seen = findings.map(({ line, what }) => {
    const place = line === null ? "" : `line ${String(line).padStart(4)}`;
    return `  ${colors.dim(place.padEnd(9))}  ${plain(what)}\n`;
  });
  const effects = showEffects(lines, colors);
  const apart = showDifferences(differences, colors);
  if (effects === "" && seen.length === 0 && apart === "" && !decided)
    return `  ${colors.dim("no line lowers the score by itself, which does not show that it is right")}\n`;
  return seen.join("") + effects + apart;
}

/** The candidate's lines with `-` and the reference's with `+`, as in diffs. */
function showDifferences(
  differences: readonly Difference[],
  { dim, red, green }: ReturnType<typeof pc.createColors>,
): string {
  if (differences.length === 0) return "";
  const side = (sign: string, found: SourceLine | null, color: (text: string) => string): string => {
    if (found === null) return "";
    const [first, ...rest] = found.text.split("\n");
    const text = plain(first!).trimEnd().slice(0, 100) + (rest.length > 0 ? " ..." : "");
    return `  ${dim(`line ${String(found.line).padStart(4)}`)}  ${color(`${sign} ${text}`)}\n`;
  };
  const shown = differences
    .slice(0, SHOWN)
    .map(({ candidate, reference }) => side("-", candidate, red) + side("+", reference, green));
  const more = differences.length - shown.length;
  const head = `  ${dim("differs from the reference (- candidate, + reference; names of variables ignored):")}\n`;
  return head + shown.join("") + (more > 0 ? `  ${dim(`and ${more} more`)}\n` : "");
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
  const head = `  ${dim("lines that lower the score of the text, and by how much (bars are relative to the largest):")}\n`;
  return head + shown.join("") + (more > 0 ? `  ${dim(`and ${more} more that lower it`)}\n` : "");
}

/** Replaces control and format characters, which could act on the terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
