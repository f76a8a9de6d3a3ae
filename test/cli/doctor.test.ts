/** `codescore doctor` and `codescore complete`. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeModel } from "../score/model.ts";
import { codescore, codescoreHere } from "./run.ts";

interface Check {
  readonly what: string;
  readonly status: string;
  readonly found: string;
  readonly remedy: string | null;
}

describe("codescore doctor", () => {
  it("says what is here, and what to do about the rest", async () => {
    const model = await makeModel();
    const { code, stdout } = await codescoreHere(["doctor", "--model", model, "--json"]);
    await rm(model, { recursive: true });
    const checks = JSON.parse(stdout) as Check[];
    expect(checks.map(({ what }) => what)).toEqual(["node", "engine", "model", "sandbox", "trainer"]);
    const [node, engine, scorer] = checks as [Check, Check, Check];
    expect(code).toBe(0);
    expect(node.found).toContain(process.versions.node);
    expect([engine.status, scorer.status]).toEqual(["ok", "ok"]);
    for (const { status, remedy, what } of checks) if (status !== "ok") expect(remedy, what).not.toBeNull();
  });

  it("exits with 1 where nothing can be scored, and goes on to the rest", async () => {
    const empty = await mkdtemp(join(tmpdir(), "codescore-doctor-"));
    const { code, stdout } = await codescoreHere(["doctor", "--model", join(empty, "none"), "--sandbox", "none"]);
    await rm(empty, { recursive: true });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {5}model +no model folder at .*\n {18}\S/m);
    expect(stdout).toMatch(/^missing {2}sandbox +.*--allow-unsafe.*\n {18}\S/m);
  });
});

it("is refused by a Node that is too old, with how to get another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codescore-node-"));
  const preload = join(folder, "old.cjs");
  const versions = '{ ...process.versions, node: "18.20.8" }';
  await writeFile(preload, `Object.defineProperty(process, "versions", { value: ${versions} });\n`);
  const { code, stdout, stderr } = await codescore(["score"], { env: { NODE_OPTIONS: `--require ${preload}` } });
  await rm(folder, { recursive: true });
  expect(stderr).toBe("codescore: codescore needs Node 20 or later, got Node 18.20.8: https://nodejs.org\n");
  expect([code, stdout]).toEqual([1, ""]);
});

it("says that a Python that is not there is a mistake, not that a sandbox is missing", async () => {
  const model = await makeModel();
  const { stdout } = await codescoreHere(["doctor", "--model", model, "--python", "no/python"]);
  await rm(model, { recursive: true });
  expect(stdout).toMatch(/^missing {2}sandbox +expected --python .* no such program\n +change the option/m);
});

describe("codescore complete", () => {
  it("gives each shell its script", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await codescore(["complete", shell]);
      expect([shell, code]).toEqual([shell, 0]);
      expect(stdout).toContain("codescore complete --");
    }
  });

  it("knows verbs, flags and their choices", async () => {
    const words = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await codescore(["complete", "--", ...args]);
      return stdout.split("\n").map((line) => line.split("\t")[0]!);
    };
    expect(await words("sc")).toContain("score");
    expect(await words("score", "--fail")).toContain("--fail-under");
    expect(await words("score", "--precision", "")).toEqual(expect.arrayContaining(["fp32", "int8"]));
  });
});
