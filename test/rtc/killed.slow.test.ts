/** Kills `rtc editing` and `rtc patched` midway and runs them again. Nothing that was answered is requested again. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../src/rtc/index.ts";
import { bundled } from "../bundled.ts";
import { type Stub, type StubRequest, startStub } from "./stub.ts";

const script = bundled(new URL("killed-verb.ts", import.meta.url));

let folder: string;
let stub: Stub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-"));
});
afterEach(async () => {
  await stub?.close();
  stub = undefined;
  await rm(folder, { recursive: true });
});

const start = (args: readonly string[]) => {
  const env = { ...process.env, OPENAI_BASE_URL: stub!.url };
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(stdout)));
  return { child, ended };
};

const said = ({ body }: StubRequest): string => (body.messages as Message[]).at(-1)!.content;
const rows = Array.from({ length: 4 }, (_, i) => ({ id: i, query: `name ${i}`, old: `old ${i}`, new: `new ${i}` }));

describe.skipIf(!process.env.CODESCORE_SLOW)("a run that was killed", () => {
  it.each<[string, string, number, string[]]>([
    // Four edits with one forward, three backward and one baseline request each.
    ["editing", "--edits", 20, ["--sims", "exact"]],
    // Four queries: response, forward, backward, judge.
    ["patched", "--queries", 16, ["--sims", "exact", "--judge", "openai:m", "--oracle", "grep -q text {code}"]],
  ])("%s goes on where it was", async (command, input, wanted, more) => {
    const answered = (): number => stub!.answered.reduce((sum, { body }) => sum + Number(body.n), 0);
    let killed = false;
    const most = Math.floor(wanted * 0.6);
    stub = await startStub((request, i) => {
      if (!killed && i >= most) return "hang";
      return { texts: Array.from({ length: Number(request.body.n) }, (_, s) => `text ${s} ${said(request).length}`) };
    });
    const data = join(folder, "rows.jsonl");
    await writeFile(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const out = join(folder, "out");
    const args = [command, input, data, "--forward", "openai:m", "--output", out, ...more];
    const recorded = async (): Promise<string[]> =>
      (await readFile(join(out, "recording.jsonl"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const first = start(args);
    await expect
      .poll(async () => stub!.requests.length > most && (await recorded()).length === answered(), { timeout: 30_000 })
      .toBe(true);
    first.child.kill("SIGKILL");
    await first.ended;
    killed = true;
    const second = start(args);
    expect(await second.ended).toContain("exact");
    expect(stub.answered).toHaveLength(wanted);
    const bodies = stub.answered.map(({ body }) => JSON.stringify(body));
    const slots = (await recorded()).map((line) => {
      const { task_id, direction, sample } = JSON.parse(line) as Record<string, unknown>;
      return `${task_id} ${direction} ${sample}`;
    });
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots).toHaveLength(answered());
    expect(bodies).toHaveLength(wanted);
  });
});
