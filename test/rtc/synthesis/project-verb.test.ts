import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { printed } from "../../cli/printed.ts";
import { bwrapWorks } from "../../execute/open.ts";
import { shopTests, writeShop } from "./shop.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-verb-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("codescore rtc synthesis --project", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });

  async function synthesis(...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const out = printed();
    const verb = rtcVerb().exitOverride();
    for (const command of verb.commands) command.exitOverride();
    await verb.parseAsync(["synthesis", "--output", join(folder, "out"), "--sims", "pass,chrf", ...args], {
      from: "user",
    });
    return out;
  }

  it.skipIf(!bwrapWorks)("prints what the spans are, the similarities, and what they take", async () => {
    const shopFolder = await writeShop(join(folder, "shop"));
    const { stdout, stderr } = await synthesis(
      ...[
        "--project",
        shopFolder,
        "--test-command",
        shopTests,
        "--forward",
        "mutate:",
        "--limit",
        "2",
        "--forward-samples",
        "1",
      ],
    );
    expect(stderr).toMatch(
      /spans: 2 of \d drawn from \d+ in 1 file; deleting \d \(\d+%\) changes no test result; 1 file /,
    );
    expect(stdout).toMatch(
      /^similarity +RTC[\s\S]*\npass +\d[\s\S]*\nsimilarity +AUC of pass +CPU s per candidate[\s\S]*\npass +- +0\.\d/,
    );
    const summary = JSON.parse(await readFile(join(folder, "out", "summary.json"), "utf8")) as object;
    expect(summary).toMatchObject({ models: { forward: "mutate" }, project: { spans: 2, command: shopTests } });
  });

  const replay = ["--forward", "replay:x.jsonl"];
  it.each([
    [["--project", ".", ...replay], "give --project and --test-command together"],
    [["--project", ".", "--test-command", "true", "--problems", "p.jsonl", ...replay], "not both"],
    [["--project", ".", "--test-command", "true", "--pass-ratio", ...replay], "passes or fails as a whole"],
    [["--project", ".", "--test-command", "true", "--repeats", "2", "--forward", "mutate:"], "the same ones each time"],
    [
      ["--project", ".", "--test-command", "true", "--forward", "mutate:", "--backward", "openai:x"],
      "leave --backward",
    ],
    [["--problems", "p.jsonl", "--forward", "mutate:"], "are for --project"],
    [replay, "expected --problems, --project, --projects or --notebook, got none"],
  ])("refuses %j", async (args, message) => {
    await expect(synthesis(...args)).rejects.toThrow(message);
  });
});
