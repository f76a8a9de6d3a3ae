/** The pieces of a report as HTML. Everything that comes from data passes through `escapeHtml`. */
import { formatCell, isNumeric, type Table } from "./tables.ts";

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Paragraphs of plain text, parted by blank lines. */
export const paragraphsHtml = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim())}</p>`)
    .join("\n");

/** `quiet` rows are shown in a muted tone and never set off as best. */
export function tableHtml(table: Table, quiet: (row: number) => boolean = () => false): string {
  const best = table.columns.map((column, i) => {
    const values = table.rows.flatMap((row, r) => (typeof row[i] === "number" && !quiet(r) ? [row[i] as number] : []));
    if (column.best === undefined || values.length < 2) return null;
    const extreme = column.best === "highest" ? Math.max(...values) : Math.min(...values);
    return formatCell(extreme, column);
  });
  const numeric = table.columns.map((_, i) => isNumeric(table, i));
  const head = table.columns.map(
    ({ label }, i) => `<th scope="col"${numeric[i] ? ' class="n"' : ""}>${escapeHtml(label)}</th>`,
  );
  const body = table.rows.map((row, r) => {
    const cells = table.columns.map((column, i) => {
      const text = formatCell(row[i], column);
      const shown = text === best[i] && !quiet(r) ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text);
      return i === 0 ? `<th scope="row">${shown}</th>` : `<td${numeric[i] ? ' class="n"' : ""}>${shown}</td>`;
    });
    return `<tr${quiet(r) ? ' class="quiet"' : ""}>${cells.join("")}</tr>`;
  });
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

export interface CodePair {
  readonly title: string;
  readonly note?: string;
  readonly left: { readonly title: string; readonly code: string };
  readonly right: { readonly title: string; readonly code: string };
}

/** Two programs side by side, below each other on a phone; lines that the other has not are marked. */
export function codePairHtml({ title, note, left, right }: CodePair, open: boolean): string {
  const side = (one: CodePair["left"], other: CodePair["left"], mark: string): string => {
    const known = new Set(other.code.split("\n").map((line) => line.trim()));
    const lines = one.code
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd()
      .split("\n")
      .map((line) => {
        const own = line.trim() !== "" && !known.has(line.trim());
        return `<span${own ? ` class="${mark}"` : ""}>${escapeHtml(line)}\n</span>`;
      });
    return `<figure><figcaption>${escapeHtml(one.title)}</figcaption><pre tabindex="0"><code>${lines.join("")}</code></pre></figure>`;
  };
  return `<details class="pair"${open ? " open" : ""}><summary><span class="name">${escapeHtml(title)}</span>${
    note === undefined ? "" : `<span class="muted">${escapeHtml(note)}</span>`
  }</summary><div class="sides">${side(left, right, "own-left")}${side(right, left, "own-right")}</div></details>`;
}

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

/** A plot as `report-plots.ts` draws it. */
export interface Drawing {
  /** No attribute in it comes from data: linkedom leaves `<` in attributes as it is. */
  readonly svg: string;
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Empty where one thing is drawn. */
  readonly legend: readonly LegendEntry[];
}

/** One plot with its title, its legend and what to see in it. */
export function cardHtml(title: string, { svg, label, legend }: Drawing, caption: string): string {
  const entries = legend.map(({ name, color }) => `<li><i style="background:${color}"></i>${escapeHtml(name)}</li>`);
  const list = entries.length > 0 ? `<ul class="legend">${entries.join("")}</ul>` : "";
  const note = caption === "" ? "" : `<figcaption>${escapeHtml(caption)}</figcaption>`;
  return `<figure class="card"><h3>${escapeHtml(title)}</h3>${list}<div role="img" aria-label="${escapeHtml(label)}">${svg}</div>${note}</figure>`;
}
