/** Shared by the tests of the report: a folder, recorded runs, also with hostile answers, and the content of a page. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll } from "vitest";
import { replayLlm } from "../../../src/rtc/llm/recording.ts";
import type { ReportItems } from "../../../src/rtc/report/items.ts";
import { synthesisRtc } from "../../../src/rtc/synthesis/synthesis.ts";
import { openSimilarity, type SignedSimilarity } from "../../../src/rtc/trip/similarity.ts";
import type { Problem } from "../../../src/types.ts";
import { greet, twice } from "../problems.ts";

/** Closes elements, opens others, reverses the text direction, breaks JSON and lines, has half a surrogate. */
export const evil = `</script><!--<script>pwned = 1</script></pre><img src=x onerror="pwned = 1">'"\\\u0000\u2028\u202e\ud800`;
export const shown = evil.replace(/[\0\u2028\u202e]|\p{Surrogate}/gu, (one) => {
  return `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;
});

/** The folder of the current test file. */
export let folder: string;
/** Each test file must call it. */
export function useFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rtc-report-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
}

export type Said = readonly [task: string, direction: string, sample: number, text: string];

export async function record(name: string, rows: readonly Said[]) {
  const path = join(folder, `${name}.jsonl`);
  const lines = rows.map(([task_id, direction, sample, text]) => JSON.stringify({ task_id, direction, sample, text }));
  await writeFile(path, `${lines.join("\n")}\n`);
  const llm = await replayLlm(path);
  return { forward: llm, backward: llm, out: join(folder, name), quiet: true };
}

export const dataOf = (html: string): ReportItems =>
  JSON.parse(parseHTML(html).document.getElementById("run")!.textContent!) as ReportItems;

/** A fake learned similarity: programs that add are similar to the reference. */
const learned: SignedSimilarity = {
  name: `learned ${evil}`,
  compare: async (pairs) =>
    pairs.map(({ candidate, reference }) => (candidate === reference ? 1 : candidate.includes("+") ? 0.9 : 0.2)),
};

/** Twice: a good program, one that only adds, none at all, and a description that recites the code. Greet: hostile answers. */
export async function synthesised(name: string, problems: readonly Problem[] = [twice, greet]): Promise<string> {
  const options = await record(name, [
    ["t/twice", "forward", 0, "Doubles the argument."],
    ["t/twice", "forward", 1, `return 2 * x ${"and so on ".repeat(20)}`],
    ["t/twice", "forward", 2, "Nothing."],
    ["t/twice", "backward", 0, "```python\nreturn 2 * x\n```"],
    ["t/twice", "backward", 1, "return x + x"],
    ["t/twice", "backward", 2, ""],
    ["t/twice", "baseline", 0, "return None"],
    ["t/greet", "forward", 0, evil],
    ["t/greet", "backward", 0, `# ${evil}\nprint('hi')`],
    ["t/greet", "forward", 1, `${evil} ${"long".repeat(60)}`],
    ["t/greet", "backward", 1, `print('${"x".repeat(3000)}')`],
    ["t/greet", "forward", 2, "Greets."],
    ["t/greet", "backward", 2, "print('hello ' + input())"],
  ]);
  await synthesisRtc({
    ...options,
    problems,
    similarities: [openSimilarity("exact"), learned, openSimilarity("chrf")],
    thresholds: { [learned.name]: 0.5 },
  });
  return options.out;
}
