/** Named charts, for pages and as files. */
import type { Drawing } from "./html.ts";
import { svgFile } from "./svg-file.ts";

/** A drawing with its name and title. */
export interface Chart {
  /** File name without extension: letters, digits and `-`. */
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly drawing: Drawing;
}

/** Each chart as SVG, by file name. */
export function chartFiles(charts: readonly Chart[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name, drawing } of charts) {
    let file = `${name}.svg`;
    // Names of models that differ only in punctuation may give the same file name.
    for (let i = 2; files.has(file); i++) file = `${name}-${i}.svg`;
    files.set(file, svgFile(drawing));
  }
  return files;
}
