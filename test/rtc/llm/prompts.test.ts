import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultPrompts, readTemplate, render } from "../../../src/rtc/llm/prompts.ts";
import { synthesisTask } from "../../../src/rtc/synthesis/synthesis.ts";
import type { Problem } from "../../../src/types.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prompts-"));
});
afterAll(() => rm(folder, { recursive: true }));

const template = async (text: string) => {
  await writeFile(join(folder, "p.txt"), text);
  return readTemplate(folder, "p", { places: ["code", "limit"], needed: ["code"] });
};

describe("a prompt file", () => {
  it("has notes, turns, and values put in as they are", async () => {
    const read = await template("Notes with {{anything}}.\n\n[system]\nAt most {{limit}}.\n\n[user]\n\n  {{code}}\n\n");
    expect(render(read, { code: "$& {{limit}} [user]", limit: "128" })).toEqual([
      { role: "system", content: "At most 128." },
      { role: "user", content: "  $& {{limit}} [user]" },
    ]);
  });

  it.each([
    ["no turns", "Only notes {{code}}", "expected turns under [system], [user], [assistant]"],
    ["an answer at the end", "[user]\n{{code}}\n[assistant]\nx", "the last of them [user]"],
    ["an unknown place", "[user]\n{{code}} {{cod}}", "{{cod}} is not known; there are {{code}}, {{limit}}"],
    ["nothing to describe", "[user]\n{{limit}}", "{{code}} is missing"],
  ])("is refused with %s", async (_, text, message) => {
    await expect(template(text)).rejects.toThrow(message);
    await expect(template(text)).rejects.toThrow(join(folder, "p.txt"));
  });

  it("shows the first examples only, where fewer are wanted", async () => {
    const turns = (n: number) =>
      Array.from({ length: n }, (_, i) => `[user]\nask ${i}\n[assistant]\nsay ${i}\n`).join("");
    await writeFile(join(folder, "p.txt"), `[system]\nBe brief.\n${turns(3)}[user]\n{{code}}\n`);
    const read = (shots?: number) => readTemplate(folder, "p", { places: ["code"], needed: ["code"], shots });
    const said = async (shots?: number) => (await read(shots)).turns.map(({ content }) => content);
    expect(await said(0)).toEqual(["Be brief.", "{{code}}"]);
    expect(await said(1)).toEqual(["Be brief.", "ask 0", "say 0", "{{code}}"]);
    expect(await said(3)).toEqual(await said());
    const hashes = await Promise.all([read(), read(0), read(1)]);
    expect(new Set(hashes.map(({ sha256 }) => sha256)).size).toBe(3); // the summary distinguishes the runs
    await expect(read(4)).rejects.toThrow("expected at least 4 examples");
    await writeFile(join(folder, "p.txt"), `[user]\nx\n[user]\n{{code}}\n`);
    await expect(read(0)).rejects.toThrow("each a turn of [user] and one of [assistant]");
  });

  it.each(["synthesis", "editing", "identity"])(
    "that is shipped for %s has the paper's three examples",
    async (name) => {
      const places = ["before", "after", "indent", "code", "limit", "description", "old", "new"];
      for (const side of ["forward", "backward"]) {
        const { turns } = await readTemplate(defaultPrompts, `${name}-${side}`, { places, needed: [] });
        expect(turns.filter(({ role }) => role === "assistant")).toHaveLength(3);
      }
    },
  );

  it("that is not there is named", async () => {
    await expect(readTemplate(folder, "q", { places: [], needed: [] })).rejects.toThrow(join(folder, "q.txt"));
  });
});

describe("the prompts of the package", () => {
  const problem: Problem = {
    id: "t/1",
    description: "Doubles.",
    prompt: "",
    entryPoint: "twice",
    references: ['import math\n\ndef twice(x):\n    """Doubles x, secretly."""\n    return 2 * x\n'],
    tests: [],
    setup: "",
    contract: "",
    source: "test",
  };

  it("show three examples and then the region, without the docstring and without the description", async () => {
    const { trips } = await synthesisTask({ problems: [problem], prompts: defaultPrompts });
    const { forward } = trips[0]!;
    expect(forward.map(({ role }) => role).join(" ")).toBe("system user assistant user assistant user assistant user");
    expect(forward.at(-1)!.content).toBe(
      "```python\nimport math\n\n\ndef twice(x):\n    # BEGIN\n    return 2 * x\n    # END\n\n```",
    );
    expect(forward[0]!.content).toContain("at most 128 characters");
    expect(JSON.stringify(forward)).not.toMatch(/secretly|Doubles|\{\{/);
    for (const { content } of forward.filter(({ role }) => role === "assistant")) {
      expect(content.length).toBeLessThanOrEqual(128);
    }
    const backward = trips[0]!.backward("Multiply by two.");
    expect(backward.at(-1)!.content).toContain("def twice(x):\n    # TODO: Multiply by two.\n");
    expect(JSON.stringify(backward)).not.toMatch(/2 \* x|secretly|Doubles|\{\{/);
  });
});
