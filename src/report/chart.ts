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
export function chartFiles(charts: readonly Chart[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { name, drawing } of charts) {
    let file = `${name}.svg`;
    // Names of models that differ in a sign only may give one name.
    for (let i = 2; files.has(file); i++) file = `${name}-${i}.svg`;
    files.set(file, svgFile(drawing));
  }
  return files;
}
