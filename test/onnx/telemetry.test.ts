/** onnxruntime reports each run to its maker, with files in the home and temporary folders, unless this is disabled. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files.ts";
import { labelledRow } from "../evaluate/rows.ts";
import { makeModel } from "../score/model.ts";

it("leaves no trace of what is scored and exported", async () => {
  const model = await makeModel();
  const program = join(model, "a.py");
  await writeFile(program, "def f(a):\n    return a\n");
  const row = join(model, "row.jsonl"); // the default rows would take longest
  await writeFile(row, `${JSON.stringify(labelledRow({}))}\n`);
  const home = await mkdtemp(join(tmpdir(), "codescore-telemetry-"));
  // None of our own variables: onnxruntime sends nothing if it detects CI.
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, TMPDIR: home, TEMP: home };
  for (const args of [
    ["score", "--model", model, "--reference", program, program],
    ["export", model, "--calibrate", row],
  ]) {
    await promisify(execFile)(process.execPath, [join(packageRoot, "dist", "cli", "main.js"), ...args], { env });
    expect(await readdir(home, { recursive: true })).toEqual([]);
  }
  await rm(home, { recursive: true });
  await rm(model, { recursive: true });
});
