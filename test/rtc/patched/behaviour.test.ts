/** `rtc patched --sims behaviour`: if the response is code, both programs are run. */
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { printed } from "../../cli/printed.ts";
import { sandboxes } from "../../execute/open.ts";
import { file, folder, said, serve, useFolder } from "./patched.ts";

useFolder();

const BEFORE = "def last(xs):\n    return xs[len(xs)]\n";
const FIXED = "def last(xs):\n    return xs[len(xs) - 1]";
const AGAIN = { right: "def last(items):\n    return items[-1]", wrong: "def last(xs):\n    return xs[0]" };

async function patched(patchflow: string, ...more: string[]): Promise<{ stdout: string; stderr: string }> {
  const out = printed();
  const names = Object.keys(AGAIN);
  const queries = await file(
    "queries.jsonl",
    names.map((id) => ({ id, query: `index error, ${id}`, before: BEFORE, after: FIXED })),
  );
  const verb = rtcVerb().exitOverride();
  const args = [
    "--queries",
    queries,
    "--patchflow",
    patchflow,
    "--forward",
    "openai:m",
    "--output",
    join(folder, "out"),
  ];
  await verb.parseAsync(["patched", ...args, ...more], { from: "user" });
  return out;
}

describe("codescore rtc patched --sims behaviour", () => {
  it("tells a rewrite that does the same from code that looks alike", async () => {
    const stub = await serve((request) => {
      const name = said(request).includes("right") ? "right" : "wrong";
      return {
        texts: [said(request).includes("<after>") ? `Fix it, ${name}.` : `\`\`\`python\n${AGAIN[name]}\n\`\`\``],
      };
    });
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    const how = ["--model", "tiny", "--sandbox", sandboxes[0]!, "--workers", "1", "--threshold", "behaviour=0.6"];
    const { stdout, stderr } = await patched("autofix", "--sims", "behaviour,hybrid", "--unsure", "0,1", ...how);
    const rows = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(rows[1]!.slice(0, 1).concat(rows[1]!.slice(3, 4))).toEqual(["behaviour", "0.500 (0.6)"]);
    expect(rows[2]!.slice(0, 2)).toEqual(["hybrid", rows[1]![1]]);
    expect(stderr).toContain("hybrid ran 2 of the 2 programs it compared: 0 on tests, 2 on generated inputs");
    expect(process.exitCode).toBeUndefined();
  }, 60_000);

  it.each([
    ["generic", "behaviour", "the similarity `behaviour` runs programs: the response of --patchflow generic is text"],
    ["autofix", "pass", "the similarity `pass` needs an executor and the problems with their tests"],
  ])("%s: refuses %s", async (patchflow, sim, message) => {
    await expect(patched(patchflow, "--sims", sim)).rejects.toThrow(message);
  });
});
