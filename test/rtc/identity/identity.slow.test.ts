/** Identity round trips on real data: if references return unchanged, `synthesisRtc` and `identityChain` must lose nothing. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openExecutor } from "../../../src/execute/index.ts";
import { readProblems } from "../../../src/problems/index.ts";
import { renameFunction } from "../../../src/rtc/identity/mask.ts";
import { identityChain, identityTasks, openSimilarity, replayLlm, synthesisRtc } from "../../../src/rtc/index.ts";
import type { Problem } from "../../../src/types.ts";
import { every } from "../../every.ts";

const data = process.env.CODESCORE_DATA;
const each = every(2);

async function problemsOf(...paths: readonly string[]): Promise<Map<string, Problem>> {
  const problems = await readProblems([join(data!, "he-eval-dev", "problems.jsonl.gz"), ...paths]);
  return new Map([...problems].filter((_, i) => i % each === 0));
}

describe.skipIf(data === undefined)("on he-eval-dev", () => {
  it("bodies that come back unchanged are equal to the reference and pass all tests", {
    timeout: 300_000,
  }, async () => {
    const problems = await problemsOf();
    const folder = await mkdtemp(join(tmpdir(), "identity-"));
    const executor = await openExecutor();
    try {
      const recording = join(folder, "recording.jsonl");
      const rows = [...problems.values()].flatMap(({ id, references }) => [
        { task_id: id, direction: "forward", sample: 0, text: "It is." },
        { task_id: id, direction: "backward", sample: 0, text: `\`\`\`python\n${references[0]}\n\`\`\`` },
      ]);
      await writeFile(recording, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      const llm = await replayLlm(recording);
      const { summary } = await synthesisRtc({
        problems: problems.values(),
        forward: llm,
        backward: llm,
        similarities: [openSimilarity("exact"), openSimilarity("pass", { executor, problems })],
        samples: { forward: { samples: 1 } },
        out: join(folder, "out"),
        quiet: true,
      });
      expect(summary.skipped).toEqual([]);
      const count = Math.ceil(78 / each);
      expect(summary.counts).toMatchObject({ problems: count, round_trips: count, missing: 0, empty_answers: 0 });
      expect(summary.similarities.map(({ name, rtc }) => [name, rtc?.value])).toEqual([
        ["exact", 1],
        ["pass", 1],
      ]);
    } finally {
      await executor.close();
      await rm(folder, { recursive: true });
    }
  });

  it("chains of references, the names hidden and found again, do the same all along", {
    timeout: 300_000,
  }, async () => {
    const problems = await problemsOf("datasets/starter");
    const folder = await mkdtemp(join(tmpdir(), "identity-"));
    const executor = await openExecutor();
    try {
      const recording = join(folder, "recording.jsonl");
      const rows = await Promise.all(
        [...problems.values()].map(async ({ id, entryPoint, references }) => {
          const code = references[0]!;
          const hidden = entryPoint === null ? code : await renameFunction(code, entryPoint, "func");
          return [
            { task_id: id, direction: "backward", sample: 0, text: `\`\`\`python\n${code}\n\`\`\`` },
            { task_id: id, direction: "forward", sample: 1, text: "It is." },
            { task_id: id, direction: "backward", sample: 1, text: `\`\`\`python\n# again\n${hidden}\n\`\`\`` },
          ];
        }),
      );
      await writeFile(
        recording,
        rows
          .flat()
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(""),
      );
      const llm = await replayLlm(recording);
      const { summary, steps } = await identityChain(await identityTasks(problems.values()), {
        forward: llm,
        backward: llm,
        executor,
        similarities: [openSimilarity("chrf")],
        length: 1,
        out: folder,
        quiet: true,
      });
      expect(summary.skipped).toEqual([]);
      expect(summary.counts).toMatchObject({ chains: Math.ceil(158 / each), missing: 0, without_code: 0 });
      expect(steps.filter(({ passed, tom }) => passed !== true || (tom ?? 1) !== 1)).toEqual([]);
      expect(summary.steps.map(({ ssc }) => ssc?.value)).toEqual([1]);
    } finally {
      await executor.close();
      await rm(folder, { recursive: true });
    }
  });
});
