/** onnxruntime tells its maker about each run, with files in the home and temporary folders, unless it is told not to. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codescore } from "../cli/run.ts";

const filesAfterScoring = async (env: Record<string, string>): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), "codescore-telemetry-"));
  const program = join(folder, "a.py");
  await writeFile(program, "def f(a):\n    return a\n");
  const home = { HOME: folder, TMPDIR: folder, XDG_CACHE_HOME: "", USERPROFILE: folder };
  const { code } = await codescore(["score", "--reference", program, program], { env: { ...home, ...env } });
  expect(code).toBe(0);
  const files = await readdir(folder, { recursive: true });
  await rm(folder, { recursive: true });
  return files;
};

it("leaves no trace of a run", async () => {
  expect(await filesAfterScoring({})).toEqual(["a.py"]);
});

it.runIf(process.platform === "linux")("would leave one if onnxruntime were left to itself", async () => {
  expect((await filesAfterScoring({ ORT_DISABLE_TELEMETRY: "0" })).length).toBeGreaterThan(1);
});
