/** onnxruntime writes no lines of its own about errors that are thrown, whatever opened the first session of the process. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundled } from "../bundled.ts";

const script = bundled(new URL("log-after-export.ts", import.meta.url));

it("a GPU that is not there is one error, also after an export", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toMatch(/^opened$|device `cuda`/);
  expect(stderr).toBe("");
});
