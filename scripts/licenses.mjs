/** Writes the licences of the packages in a bundle. Every published bundle has such a file beside it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

/** @param metafile the bundle's, from esbuild */
export function writeLicenses(path, metafile) {
  /** The folders of the packages in the bundle. */
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  const texts = [`codescore\n\n${readFileSync(join(root, "LICENSE"), "utf8")}`];
  for (const folder of [...packages].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
    // The packages of TensorFlow.js and apache-arrow contain no licence text. It is Apache's.
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, folder, file), "utf8");
    texts.push(`${name} ${version}\n\n${text}`);
  }
  writeFileSync(path, texts.join(`\n${"-".repeat(80)}\n\n`));
}
