/** Ray, Spark and a fake S3 on this machine: the files python/tests/test_*.py with those names, if the engines are installed. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A Python with pytest and the engines, which are large. */
const python = process.env.CODESCORE_ENGINES_PYTHON;

describe.each([
  ["test_shards.py", "pyarrow, fsspec"],
  ["test_storage.py", "pyarrow, s3fs, moto.server"],
  ["test_ray.py", "pyarrow, fsspec, ray.data"],
  ["test_spark.py", "pyarrow, fsspec, pyspark"],
])("%s", (name, modules) => {
  const ready = python !== undefined && spawnSync(python, ["-c", `import pytest, ${modules}`]).status === 0;
  if (!ready)
    process.stderr.write(`${name} is skipped: CODESCORE_ENGINES_PYTHON names no Python with pytest, ${modules}\n`);

  it.skipIf(!ready)("passes", { timeout: 900_000 }, () => {
    const env = {
      ...process.env,
      PYTHONPATH: join(root, "python", "src"),
      CODESCORE_COMMAND: `${process.execPath} ${join(root, "dist", "cli", "main.js")}`,
    };
    const words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", join(root, "python", "tests", name)];
    const done = spawnSync(python as string, words, { env, encoding: "utf8" });
    expect(done.status, done.stdout + done.stderr).toBe(0);
  });
});
