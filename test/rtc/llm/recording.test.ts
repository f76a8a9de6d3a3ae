import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Direction, type Llm, type LlmRequest, requestHash } from "../../../src/rtc/llm/llm.ts";
import { openCache, replayLlm } from "../../../src/rtc/llm/recording.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rtc-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ask = (n: number, first = 0, direction: Direction = "forward", prompt = "Describe."): LlmRequest => ({
  prompt,
  n,
  temperature: 0.8,
  maxTokens: 64,
  about: { taskId: "t/1", direction, first },
});

const recording = async (rows: readonly object[]): Promise<string> => {
  const path = join(folder, "recording.jsonl");
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
};

const row = (direction: string, sample: number, text: string, more: object = {}) => ({
  task_id: "t/1",
  direction,
  sample,
  text,
  ...more,
});

describe("a replay", () => {
  it("answers by task, direction and sample, whatever the prompt", async () => {
    const llm = await replayLlm(
      await recording([
        row("forward", 1, "f1"),
        row("forward", 0, "f0"),
        row("backward", 0, "b0"),
        row("backward", 2, "b2"),
      ]),
    );
    expect(llm.name).toBe("recorded");
    expect(await llm.complete(ask(2))).toEqual(["f0", "f1"]);
    expect(await llm.complete(ask(2, 0, "forward", "Anything."))).toEqual(["f0", "f1"]);
    expect(await llm.complete(ask(1, 2, "backward"))).toEqual(["b2"]);
  });

  it("gives what there is when more is wanted, and nothing for the baseline that was not recorded", async () => {
    const llm = await replayLlm(await recording([row("forward", 0, "f0")]));
    expect(await llm.complete(ask(3))).toEqual(["f0"]);
    expect(await llm.complete(ask(1, 0, "baseline"))).toEqual([]);
  });

  it("holds rows with a hash to their prompt, and names the models", async () => {
    const hash = requestHash(ask(1));
    const llm = await replayLlm(
      await recording([
        row("forward", 0, "f0", { prompt_sha256: hash, model: "small" }),
        row("forward", 1, "f1", { model: "big" }),
      ]),
    );
    expect(llm.name).toBe("recorded (big, small)");
    expect(await llm.complete(ask(2))).toEqual(["f0", "f1"]);
    await expect(llm.complete(ask(1, 0, "forward", "Other."))).rejects.toThrow(/recorded for another prompt/);
  });

  it("names the settings that differ from the recorded ones", async () => {
    const path = join(folder, "cache.jsonl");
    const cache = await openCache(path);
    await cache.wrap(counting().llm).complete({ ...ask(1), seed: 1 });
    await cache.close();
    const { complete } = await replayLlm(path);
    expect(await complete({ ...ask(1), seed: 1 })).toEqual(["Describe.#0"]);
    await expect(complete(ask(1))).rejects.toThrow(
      "forward sample 0 of t/1 was recorded with other sampling settings (seed was 1, and is not given now); use",
    );
    await expect(complete({ ...ask(1), seed: 1, temperature: 0.5, maxTokens: 9 })).rejects.toThrow(
      "was recorded with other sampling settings (temperature was 0.8, and is 0.5 now; max_tokens was 64, and is 9 now); use",
    );
    await expect(complete({ ...ask(1, 0, "forward", "Other."), seed: 1 })).rejects.toThrow("for another prompt; use");
    await expect(complete(ask(1, 0, "forward", "Other."))).rejects.toThrow(
      "for another prompt and with other sampling settings (seed was 1, and is not given now); use",
    );
  });

  it.each<[string, object, string]>([
    [
      "a direction that is none",
      row("sideways", 0, ""),
      "expected `direction` to be one of forward, backward, baseline",
    ],
    ["a sample that is no index", row("forward", -1, ""), "expected `sample` to be an integer from 0, got -1"],
    ["no sample", { task_id: "t", direction: "forward", text: "" }, "got nothing"],
    ["no text", { task_id: "t", direction: "forward", sample: 0 }, "expected a string field `text`"],
    ["a text of another type", row("forward", 0, "", { text: 3 }), "expected `text` to be a string"],
  ])("refuses %s with file and line", async (_, bad, message) => {
    const path = await recording([row("forward", 0, "fine"), bad]);
    await expect(replayLlm(path)).rejects.toThrow(`${path}:2: `);
    await expect(replayLlm(path)).rejects.toThrow(message);
  });

  it("refuses a doubled row and a missing file", async () => {
    const path = await recording([row("forward", 0, "a"), row("forward", 0, "b")]);
    await expect(replayLlm(path)).rejects.toThrow(`${path}:2: a second forward sample 0 of t/1`);
    await expect(replayLlm(join(folder, "none.jsonl"))).rejects.toThrow("no such file");
  });
});

/** A model that answers `prompt#sample` and counts its calls. */
const counting = (name = "m") => {
  const asked: string[] = [];
  const llm: Llm = {
    name,
    complete: async ({ n, prompt, about }) =>
      Array.from({ length: n }, (_, i) => {
        asked.push(`${about.direction} ${about.first + i}`);
        return `${String(prompt)}#${about.first + i}`;
      }),
  };
  return { llm, asked };
};

describe("a cache", () => {
  const path = () => join(folder, "cache.jsonl");

  it("asks once, also after it was closed, and can be replayed", async () => {
    const { llm, asked } = counting();
    for (let run = 0; run < 2; run++) {
      const cache = await openCache(path());
      expect(await cache.wrap(llm).complete(ask(3))).toEqual(["Describe.#0", "Describe.#1", "Describe.#2"]);
      await cache.close();
    }
    expect(asked).toEqual(["forward 0", "forward 1", "forward 2"]);
    const replay = await replayLlm(path());
    expect(replay.name).toBe("recorded (m)");
    expect(await replay.complete(ask(3))).toEqual(["Describe.#0", "Describe.#1", "Describe.#2"]);
  });

  it("asks only for the samples that are missing", async () => {
    const { llm, asked } = counting();
    const cache = await openCache(path());
    await cache.wrap(llm).complete(ask(1, 1));
    expect(await cache.wrap(llm).complete(ask(4))).toEqual([0, 1, 2, 3].map((i) => `Describe.#${i}`));
    expect(asked).toEqual([1, 0, 2, 3].map((i) => `forward ${i}`));
    await cache.close();
  });

  it("asks again for another prompt, another temperature, another model", async () => {
    const { llm, asked } = counting();
    const other = counting("other");
    const cache = await openCache(path());
    await cache.wrap(llm).complete(ask(1));
    await cache.wrap(llm).complete(ask(1, 0, "forward", "Tell."));
    await cache.wrap(llm).complete({ ...ask(1), temperature: 0 });
    await cache.wrap(other.llm).complete(ask(1));
    expect([asked.length, other.asked.length]).toEqual([3, 1]);
    await cache.close();
  });

  it("is not locked after it was refused", async () => {
    await writeFile(path(), '{"task_id": "t/1"}\n');
    await expect(openCache(path())).rejects.toThrow(`${path()}:1: `);
    await writeFile(path(), "");
    await (await openCache(path())).close();
  });

  it("drops a line that a kill cut short and goes on", async () => {
    const { llm, asked } = counting();
    const first = await openCache(path());
    await first.wrap(llm).complete(ask(2));
    await first.close();
    await appendFile(path(), '{"task_id": "t/1", "direction": "forw');
    const second = await openCache(path());
    expect(await second.wrap(llm).complete(ask(3))).toEqual(["Describe.#0", "Describe.#1", "Describe.#2"]);
    await second.close();
    expect(asked).toHaveLength(3);
    const lines = (await readFile(path(), "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { sample: number }).sample)).toEqual([0, 1, 2]);
  });
});
