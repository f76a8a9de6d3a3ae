/** Folders of tests are removed after them. */
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "./helpers.ts";

it("makes folders in that of the run, which is removed at its end", () => {
  // vitest ends its processes by a signal, so a process cannot remove them at its exit.
  expect(dirname(tempFolder())).toBe(process.env.CODESCORE_TEST_RUN);
});
