/** Runs the Python client's tests (python/tests) on the package as pip installs it. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A Python with pytest. CODESCORE_PYTHON is the one that .ci/run installs. */
const python = process.env.CODESCORE_PYTHON ?? "python3";
const ready = spawnSync(python, ["-c", "import pytest, ensurepip"]).status === 0;
if (!ready) process.stderr.write(`tests of the Python client are skipped: ${python} has no pytest\n`);

describe.skipIf(!ready)("the Python client", () => {
  it("passes its tests as pip installs it", { timeout: 1_200_000 }, async () => {
    const made = mkdtempSync(join(tmpdir(), "codescore-python-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    const pip = ["-m", "pip", "install", "-q", "--no-deps", "--target", made, join(root, "python")];
    const installed = spawnSync(python, pip, { encoding: "utf8" });
    expect(installed.status, installed.stderr).toBe(0);
    const env = {
      ...process.env,
      PYTHONPATH: made,
      CODESCORE_ROWS: process.env.CODESCORE_ROWS ?? "160", // rows of the sets for clusters: some of each kind
      CODESCORE_COMMAND: `${process.execPath} ${join(root, "dist", "cli", "main.js")}`,
    };
    const tests = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", join(root, "python", "tests")];
    // Awaited, because vitest gives up on a thread that blocks for a minute.
    const done = await new Promise<{ status: string | number; stdout: string; stderr: string }>((resolve) => {
      const options = { cwd: made, env, maxBuffer: 2 ** 26 };
      execFile(python, tests, options, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : (error.code ?? "ended"), stdout, stderr }),
      );
    });
    for (const line of done.stdout.match(/^SKIPPED .*$/gm) ?? []) process.stderr.write(`the Python client: ${line}\n`);
    expect(done.status, done.stdout + done.stderr).toBe(0);
  });
});
