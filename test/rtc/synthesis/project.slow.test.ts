/** SynthesisRTC on toolz, whose wheel contains its tests. Skipped if pip cannot download it. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { openProject } from "../../../src/execute/index.ts";
import {
  type JudgedRow,
  mutateLlm,
  projectCalls,
  projectPass,
  projectRtc,
  projectSpans,
} from "../../../src/rtc/index.ts";
import { bwrapWorks } from "../../execute/open.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "toolz-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const fetched: boolean = await (async () => {
  const wheels = join(folder, "wheels");
  const pip = ["-m", "pip", "download", "-q", "--no-deps", "--dest", wheels, "toolz==1.1.0"];
  await run("python3", pip, { timeout: 30_000 });
  await run("python3", ["-m", "zipfile", "-e", join(wheels, (await readdir(wheels))[0]!), join(folder, "toolz")]);
  return true;
})().catch((error: Error) => {
  process.stderr.write(`toolz cannot be had: ${error.message.split("\n")[0]}\n`);
  return false;
});

// Calls the functions directly, so that pytest is not needed.
const command = `python3 -c '
import toolz.tests.test_itertoolz as tests
for name in dir(tests):
    if name.startswith("test_"):
        getattr(tests, name)()
'`;

describe.skipIf(!fetched || !bwrapWorks)("on toolz", () => {
  it("spans go around, rewrites pass and most mutants fail", async () => {
    const project = await openProject({ folder: join(folder, "toolz"), command });
    try {
      const out = join(folder, "out");
      const found = await projectSpans({ project, out, spans: 8, quiet: true });
      expect(found.spans).toHaveLength(8);
      expect(found.counts.candidates).toBeGreaterThan(1000);
      expect(found.counts.without_effect).toBeGreaterThan(0);
      for (const { file } of found.spans) expect(file.path).not.toContain("tests/");
      const llm = mutateLlm(found.spans, 0);
      const pass = projectPass({ project, found });
      const calls = projectCalls({ project, found, pass, out });
      const options = { project, found, forward: llm, backward: llm, similarities: [pass, calls], out, quiet: true };
      const { samples } = await projectRtc({ ...options, lift: false }, pass).finally(() => calls.close());
      const rows = (await readFile(join(out, "calls.jsonl"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Partial<JudgedRow>);
      expect(rows.filter(({ by }) => by === "calls").length).toBeGreaterThan(4);
      const agree = samples.filter(({ sims }) => sims.calls === sims.pass).length / samples.length;
      expect(agree).toBeGreaterThan(0.9);
      const passed = (kind: string): number[] =>
        samples.filter(({ description }) => description.startsWith(kind)).map(({ sims }) => sims.pass!);
      const share = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(share(passed("rewrite"))).toBeGreaterThan(0.8);
      expect(share(passed("mutant"))).toBeLessThan(0.6);
    } finally {
      await project.close();
    }
  });
});
