/** The parts of a report as HTML. Everything that comes from data goes through `escapeHtml`. */
import { codeSpans } from "../util/code-spans.ts";
import { bestTexts, formatCell, isNumeric, type Table } from "./tables.ts";

/**
 * Characters that are invisible or reorder the text around them: control characters except tab and line feed, soft hyphens,
 * zero-width and bidirectional marks, U+2028 and U+2029, tags, lone surrogates. A program may hide code with them.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Shows invisible characters as their code points, e.g. `⟨U+202E⟩`. Removes carriage returns before line feeds. */
export const visible = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(INVISIBLE, (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`);

export const escapeHtml = (text: string): string =>
  visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** A text of codescore's own, such as a note or a finding: what stands in backticks becomes code. */
export const inlineHtml = (text: string): string =>
  codeSpans(text)
    .map((span) => (span.isCode ? `<code>${escapeHtml(span.text)}</code>` : escapeHtml(span.text)))
    .join("");

/** Paragraphs of plain text, separated by blank lines. @param show `escapeHtml` for texts that are data, which keep their backticks */
export const paragraphsHtml = (text: string, show = inlineHtml): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${show(paragraph.trim())}</p>`)
    .join("\n");

/** In a table of more columns than this, intervals are below their values, so that fewer columns are out of view. */
const MANY = 6;
/** In a table of more columns than this, cells are narrower, so that all are in view on a screen of 1,200 pixels. */
const MOST = 10;

/** @param label names the box that scrolls if the table is wider than the page. Rows in `table.quiet` are muted. */
export function tableHtml(table: Table, label: string): string {
  const best = bestTexts(table);
  const isQuiet = (row: number): boolean => table.quiet?.includes(row) ?? false;
  const numeric = table.columns.map((_, i) => isNumeric(table, i));
  const head = table.columns.map(
    ({ label }, i) => `<th scope="col"${numeric[i] ? ' class="n"' : ""}>${escapeHtml(label)}</th>`,
  );
  const body = table.rows.map((row, r) => {
    const cells = table.columns.map((column, i) => {
      const text = formatCell(row[i], column);
      // Mark only the value as best, not its interval.
      const [, figure, interval] = typeof row[i] === "string" ? ["", text, ""] : /^(\S+)(.*)/s.exec(text)!;
      const isBest = best[i] !== null && figure === best[i] && !isQuiet(r);
      const shown = `${isBest ? `<b>${escapeHtml(figure!)}</b>` : escapeHtml(figure!)}${interval ? `<small>${escapeHtml(interval)}</small>` : ""}`;
      return i === 0 ? `<th scope="row">${shown}</th>` : `<td${numeric[i] ? ' class="n"' : ""}>${shown}</td>`;
    });
    return `<tr${isQuiet(r) ? ' class="quiet"' : ""}>${cells.join("")}</tr>`;
  });
  const wide = table.columns.length > MOST ? ' class="many most"' : table.columns.length > MANY ? ' class="many"' : "";
  return `<div class="scroll" role="group" aria-label="${escapeHtml(label)}" tabindex="0"><table${wide}><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

export interface CodePair {
  readonly title: string;
  readonly note?: string;
  /** Plain text shown above the programs. */
  readonly description?: string | null;
  readonly left: { readonly title: string; readonly code: string };
  readonly right: { readonly title: string; readonly code: string };
}

/** Two programs side by side, or one below the other on a phone. Lines that the other lacks are marked. */
export const codePairHtml = ({ title, note, description, left, right }: CodePair, open: boolean): string =>
  foldHtml(
    title,
    note,
    `${description ? foldHtml("Description", "", proseHtml(description), false) : ""}${sidesHtml(left, right)}`,
    open,
  );

/** A box that opens and closes under its title. `body` is HTML. */
export const foldHtml = (title: string, note: string | undefined, body: string, open: boolean): string =>
  `<details class="pair"${open ? " open" : ""}><summary><span class="name">${escapeHtml(title)}</span>${
    note ? ` <span class="muted">${escapeHtml(note)}</span>` : ""
  }</summary><div class="inside">${body}</div></details>`;

/** A description that keeps its line breaks. Long lines wrap. */
export const proseHtml = (text: string): string =>
  `<div class="prose" tabindex="0" role="group" aria-label="description">${escapeHtml(cut(text.trim()))}</div>`;

/** The two programs of a `CodePair`. */
export function sidesHtml(left: CodePair["left"], right: CodePair["right"]): string {
  const side = (one: CodePair["left"], other: CodePair["left"], mark: string): string => {
    const known = new Set(other.code.split("\n").map((line) => line.trim()));
    return codeHtml(one, (line) => (line.trim() !== "" && !known.has(line.trim()) ? mark : ""));
  };
  return `<div class="sides">${side(left, right, "own-left")}${side(right, left, "own-right")}</div>`;
}

/** A program in a box. @param markOf gives the CSS class of a line, or an empty string for none */
export function codeHtml({ title, code }: CodePair["left"], markOf: (line: string) => string = () => ""): string {
  const lines = cut(code.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd())
    .split("\n")
    .map((line) => {
      const mark = markOf(line);
      return `<span${mark === "" ? "" : ` class="${mark}"`}>${escapeHtml(line)}\n</span>`;
    });
  const name = escapeHtml(title);
  return `<figure><figcaption>${name}</figcaption><pre tabindex="0" role="group" aria-label="${name}"><code>${lines.join("")}</code></pre></figure>`;
}

/** Maximum characters shown of a program or a description. Nobody reads more on a page. */
const LONGEST = 20_000;

export const cut = (text: string): string =>
  text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST)}\n… ${(text.length - LONGEST).toLocaleString("en")} more characters`;

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** Dashes of the line: 0 none, 1 long, 2 short. @default 0 */
  readonly dash?: number;
}

/** A plot, as drawn by `draw.ts`. */
export interface Drawing {
  /** No attribute in it may come from data, because linkedom does not escape `<` in attributes. */
  readonly svg: string;
  /** Describes the plot for readers who cannot see it. */
  readonly label: string;
  /** Empty if there is only one series. */
  readonly legend: readonly LegendEntry[];
}

/** A plot with its title, its legend and a caption. */
export function cardHtml(title: string, { svg, label, legend }: Drawing, caption: string): string {
  const entries = legend.map(
    ({ name, color, dash = 0 }) =>
      `<li><i style="border-top-color:${color}"${dash > 0 ? ` class="dash-${dash}"` : ""}></i>${escapeHtml(name)}</li>`,
  );
  const list = entries.length > 0 ? `<ul class="legend">${entries.join("")}</ul>` : "";
  const note = caption === "" ? "" : `<figcaption>${inlineHtml(caption)}</figcaption>`;
  return `<figure class="card"><h3>${escapeHtml(title)}</h3>${list}<div role="img" aria-label="${escapeHtml(label)}">${svg}</div>${note}</figure>`;
}
