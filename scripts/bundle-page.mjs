/**
 * A build step: puts the page of `codescore serve` (src/server/page) into dist/page, as one self-contained file, with the licences of
 * the code it contains.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./licenses.mjs";
import { root } from "./prepare.mjs";

const from = join(root, "src", "server", "page");

/** An example that resemblance alone does not reveal as wrong, but running does. */
function example() {
  const read = (name) => readFileSync(join(root, "examples", "order", name), "utf8");
  return {
    candidate: read("candidates/wrong_order.py"),
    reference: read("reference.py"),
    description: "The names of (name, score) pairs, the highest score first; of equals by name.",
  };
}

/** @param to the folder that gets `index.html` and `LICENSES.txt` */
export async function bundlePage(to = join(root, "dist", "page")) {
  const shared = {
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    absWorkingDir: root,
    logLevel: "warning",
  };
  const script = await build({
    ...shared,
    entryPoints: [join(from, "main.ts")],
    format: "iife",
    platform: "browser",
    define: { EXAMPLE: JSON.stringify(example()) },
    legalComments: "none", // LICENSES.txt has them
    metafile: true,
    outfile: "page.js",
  });
  const style = await build({ ...shared, entryPoints: [join(from, "style.css")], outfile: "page.css" });
  let html = readFileSync(join(from, "index.html"), "utf8");
  for (const [tag, { outputFiles }] of [
    ["style", style],
    ["script", script],
  ]) {
    // A function, because `$&` in a replacement string would be interpreted.
    html = html.replace(`<${tag}></${tag}>`, () => `<${tag}>${outputFiles[0].text.trim()}</${tag}>`);
  }
  mkdirSync(to, { recursive: true });
  writeLicenses(join(to, "LICENSES.txt"), script.metafile);
  const made = join(to, `.index-${process.pid}.html`); // rename it when complete, because tests may read it meanwhile
  writeFileSync(made, html);
  renameSync(made, join(to, "index.html"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage();
