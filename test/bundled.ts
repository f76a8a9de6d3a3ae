/**
 * Bundles a script that tests run as a separate process into one file that Node starts at once. With vite-node each process would
 * transform hundreds of modules again.
 */
import { rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { packageRoot } from "../src/util/files.ts";

/** The path of the bundle. It exists while the tests of the calling file run. */
export function bundled(script: URL): string {
  const source = fileURLToPath(script);
  // The same depth in the package as the modules that find its folder relative to themselves (util/files.ts); also, packages are found from here.
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
