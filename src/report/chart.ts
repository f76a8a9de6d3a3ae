/** Charts by name, as they stand on a page and as files. */
import type { Drawing } from "./html.ts";
import { svgFile } from "./svg-file.ts";

/** A drawing, and what it is called. */
export interface Chart {
  /** As a file, without its ending: letters, digits and `-`. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly drawing: Drawing;
}

/** Each as SVG, by the name of its file. */
export const chartFiles = (charts: readonly Chart[]): ReadonlyMap<string, string> =>
  new Map(charts.map(({ name, drawing }) => [`${name}.svg`, svgFile(drawing)]));
