import { describe, expect, it } from "vitest";
import { queriesOf, useFolder } from "./patched.ts";

useFolder();

describe("readQueries", () => {
  it("reads texts, conversations and both Arena-Hard formats", async () => {
    const turns = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ];
    const queries = await queriesOf([
      { query: "one", before: "x", file: "app.py" },
      { messages: turns, response: "r" },
      { question_id: "q3", turns: [{ content: "three" }] },
      { uid: 4, prompt: "four" },
    ]);
    expect(queries.map(({ id, messages }) => `${id} ${messages.map(({ content }) => content).join("/")}`)).toEqual([
      "query/1 one",
      "query/2 Be brief./a/b/c",
      "q3 three",
      "4 four",
    ]);
    expect(queries[0]).toMatchObject({ before: "x", after: null, response: null, file: "app.py" });
    expect(queries[1]!.response).toBe("r");
  });

  it("reads the turns of MT-bench, each after the first as a query of its own", async () => {
    const queries = await queriesOf([
      { question_id: 81, category: "writing", turns: ["Compose a post.", "Rewrite it.", "Shorter."] },
      { question_id: 82, category: "writing", turns: ["Draft an email."], reference: ["..."] },
    ]);
    expect(queries.map(({ id, turns, messages }) => [id, turns, messages.map(({ content }) => content)])).toEqual([
      ["81", undefined, ["Compose a post."]],
      ["81/2", ["81", "81/2"], ["Compose a post.", "Rewrite it."]],
      ["81/3", ["81", "81/2", "81/3"], ["Compose a post.", "Rewrite it.", "Shorter."]],
      ["82", undefined, ["Draft an email."]],
    ]);
  });

  it.each<[string, object[], string]>([
    ["a turn that is no text", [{ turns: ["a", 3] }], "expected `turns` to be texts, or objects with a text `content`"],
    [
      "an id that a turn has",
      [
        { id: 1, turns: ["a", "b"] },
        { id: "1/2", query: "c" },
      ],
      "a second query with the id `1/2`",
    ],
    [
      "two of one id",
      [
        { id: 1, query: "a" },
        { id: 1, query: "b" },
      ],
      "a second query with the id `1`",
    ],
    ["a path", [{ query: "a", file: "../a.py" }], "expected `file` to be a bare name such as app.py, got `../a.py`"],
    ["dots", [{ query: "a", file: "../.." }], "expected `file` to be a bare name"],
    ["an assistant's turn at the end", [{ messages: [{ role: "assistant", content: "a" }] }], "the last of the user"],
  ])("refuses %s", async (_, rows, message) => {
    await expect(queriesOf(rows)).rejects.toThrow(message);
  });
});
