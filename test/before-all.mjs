/**
 * Runs before all tests. Builds the server's page from the current sources: tests read it from dist/page, as the server does. Makes a
 * folder in which the processes of this run of vitest leave notes for each other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePage } from "../scripts/bundle-page.mjs";

export default async () => {
  const folder = mkdtempSync(join(tmpdir(), "codescore-run-"));
  process.env.CODESCORE_TEST_RUN = folder; // inherited by the processes of the tests
  await bundlePage();
  return () => rmSync(folder, { recursive: true, force: true });
};
