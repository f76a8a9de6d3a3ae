import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/util/files.ts";

it("the npm package has what scoring and running need", () => {
  const shown = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packageRoot,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [pack] = JSON.parse(shown.toString()) as { files: { path: string }[] }[];
  expect(pack!.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "models/behaviour.json",
      "models/codescore-small/trees.safetensors",
      "src/execute/python/run.py",
    ]),
  );
});
