/** Drawings of a report as files of their own: SVG with its title, its legend and its colours, for papers and slides. */
import { join } from "node:path";
import { makeFolder, writeAtomic } from "../util/files.ts";
import { type Drawing, escapeHtml } from "./html.ts";
import { colors } from "./style.ts";

/** A drawing, and what it is called. */
export interface Chart {
  /** As a file, without its ending: letters, digits and `-`. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly drawing: Drawing;
}

/** Pixels of a row of the legend, and about those of a character of it. */
const ROW = 18;
const CHARACTER = 6.6;

/** The drawing as a whole SVG file, on white. */
export function svgFile({ title, drawing: { svg, label, legend } }: Chart): string {
  const size = (name: "width" | "height"): number => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(svg)?.[1] ?? 0);
  const [width, height] = [size("width"), size("height")];
  let [x, y] = [10, 24 + ROW];
  const entries = legend.map(({ name, color, dash = 0 }) => {
    const shown = name.length > 60 ? `${name.slice(0, 59)}…` : name;
    const wide = 40 + CHARACTER * shown.length;
    if (x > 10 && x + wide > width) [x, y] = [10, y + ROW];
    const dashes = ["", ' stroke-dasharray="7 4"', ' stroke-dasharray="2 3"'][dash] ?? "";
    const entry = `<line x1="${x}" x2="${x + 20}" y1="${y - 4}" y2="${y - 4}" stroke="${color}" stroke-width="4"${dashes}/><text x="${x + 26}" y="${y}">${escapeHtml(shown)}</text>`;
    x += wide;
    return entry;
  });
  const top = legend.length === 0 ? 32 : y + 10;
  const all = top + height;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 0 ${width} ${all}" font-family="system-ui, sans-serif" font-size="12" fill="#1c2430">
<title>${escapeHtml(label)}</title>
<style>svg { ${colors} color: #1c2430; }</style>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="10" y="20" font-size="14" font-weight="600">${escapeHtml(title)}</text>
${entries.join("\n")}
<g transform="translate(0 ${top})">${svg.replace(/^<svg(?![^>]*xmlns=)/, '<svg xmlns="http://www.w3.org/2000/svg"')}</g>
</svg>
`;
}

/** Writes `NAME.svg` of each chart; makes the folder. */
export async function writeCharts(folder: string, charts: readonly Chart[]): Promise<void> {
  await makeFolder(folder);
  for (const chart of charts) await writeAtomic(join(folder, `${chart.name}.svg`), svgFile(chart));
}
