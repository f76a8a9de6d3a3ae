/**
 * A script of ours for processes of their own, as one file that Node starts at once: vite-node would transform hundreds of modules
 * anew in each of them.
 */
import { rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { packageRoot } from "../src/util/files.ts";

/** Where it lies while the tests of the calling file run. */
export function bundled(script: URL): string {
  const source = fileURLToPath(script);
  // As deep in the package as the modules that find its folder by their own (util/files.ts), and where its packages are found.
  const folder = join(packageRoot, "runs", `test-${process.pid}`);
  const outfile = join(folder, `${parse(source).name}.mjs`);
  beforeAll(async () => {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "warning",
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return outfile;
}
