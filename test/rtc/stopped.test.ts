/** Ctrl-C during a run: the built command says how to resume, and leaves no lock. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stub, startStub } from "./stub.ts";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");

let folder: string;
let stub: Stub;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rtc-stopped-"));
});
afterEach(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

it("a run that is interrupted says that the same command goes on, and releases its recording", async () => {
  let hangs = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    hangs = resolve;
  });
  stub = await startStub((_, i) => {
    if (i === 0) return { texts: ["Says its name."] };
    hangs();
    return "hang";
  });
  await writeFile(join(folder, "edits.jsonl"), `${JSON.stringify({ id: 1, old: "a", new: "b" })}\n`);
  const out = join(folder, "out");
  const input = ["rtc", "editing", "--edits", join(folder, "edits.jsonl"), "--sims", "exact"];
  const args = [...input, "--forward-samples", "1", "--no-lift", "--forward", "openai:m", "--output", out];
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, OPENAI_BASE_URL: stub.url },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  await waiting;
  const lock = join(out, "recording.jsonl.lock");
  expect(existsSync(lock)).toBe(true);
  child.kill("SIGINT");
  expect(await ended, stderr).toBe(1);
  expect(stderr).toContain(`codescore: stopped; run the same command again to continue from ${out}`);
  expect(existsSync(lock)).toBe(false);
  expect(await readFile(join(out, "recording.jsonl"), "utf8")).toContain("Says its name.");
});
