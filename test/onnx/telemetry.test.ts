/** onnxruntime tells its maker about each run, with files in the home and temporary folders, unless it is told not to. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codescore } from "../cli/run.ts";
import { makeModel } from "../score/model.ts";

/** What is in the home and temporary folder of a command after it. */
async function filesAfter(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-telemetry-"));
  const home = { HOME: folder, TMPDIR: folder, XDG_CACHE_HOME: "", USERPROFILE: folder };
  const { code } = await codescore(args, { env: { ...home, ...env } });
  expect(code).toBe(0);
  const files = await readdir(folder, { recursive: true });
  await rm(folder, { recursive: true });
  return files;
}

it("leaves no trace of what is scored and exported, where onnxruntime by itself would", async () => {
  const model = await makeModel();
  const program = join(model, "a.py");
  await writeFile(program, "def f(a):\n    return a\n");
  const score = ["score", "--model", model, "--reference", program, program];
  const exporting = ["export", model];
  for (const args of [score, exporting]) {
    expect(await filesAfter(args)).toEqual([]);
    if (process.platform !== "linux") continue;
    expect((await filesAfter(args, { ORT_DISABLE_TELEMETRY: "0" })).length).toBeGreaterThan(0);
  }
  await rm(model, { recursive: true });
});
