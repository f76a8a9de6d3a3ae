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

  it.each<[string, object[], string]>([
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
