/** `codescore score` with a model that has no network, which is the default. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codescoreHere } from "./run.ts";

const NO_NETWORK = /the model has no network, so --device and --precision change nothing/;

describe("score with a model without a network", () => {
  let folder: string;
  const score = (...flags: string[]) =>
    codescoreHere(["score", "--reference", join(folder, "a.py"), join(folder, "b.py"), "--as", "json", ...flags]);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "codescore-no-network-"));
    await writeFile(join(folder, "a.py"), "def f(x):\n    return x + x\n");
    await writeFile(join(folder, "b.py"), "def f(x):\n    return 2 * x\n");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ["--device", "cuda"],
    ["--precision", "fp16"],
  ])("says that %s %s changes nothing", async (...flags) => {
    const [plain, given] = [await score(), await score(...flags)];
    expect(given.stdout).toBe(plain.stdout);
    expect(plain.stderr).not.toMatch(NO_NETWORK);
    expect(given.stderr).toMatch(NO_NETWORK);
    expect([plain.code, given.code]).toEqual([0, 0]);
  });

  it("does not say so with one", async () => {
    const { stderr } = await score("--model", "small", "--precision", "fp16");
    expect(stderr).not.toMatch(NO_NETWORK);
  });
});
