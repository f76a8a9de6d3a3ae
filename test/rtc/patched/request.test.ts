import { describe, expect, it } from "vitest";
import { type Message, openSimilarity, patchedResult } from "../../../src/rtc/index.ts";
import { echo, llmOf, said, serve, turnsOf, useFolder } from "./patched.ts";

useFolder();

describe("patchedResult", () => {
  const messages: Message[] = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "a pear?" },
    { role: "assistant", content: "yes" },
    { role: "user", content: "name it pear" },
  ];

  it("gives the response, the round and the score of one request", async () => {
    const stub = await serve(echo);
    const options = { llm: llmOf(), similarity: openSimilarity("rouge-l"), temperature: 0.7, maxTokens: 50 };
    const verdict = await patchedResult({ messages }, options);
    expect(verdict).toMatchObject({
      response: "It is pear",
      query: "Say It is pear",
      second: "It is pear",
      score: 1,
      threshold: 0.8,
      passed: true,
    });
    expect(turnsOf(stub.requests[0]!)).toEqual(messages);
    expect(stub.requests[0]!.body).toMatchObject({ temperature: 0.7, max_tokens: 50 });
    expect(said(stub.requests[1]!)).toContain("[user]\na pear?\n\n[assistant]\nyes\n\n[user]\nname it pear");
    expect(turnsOf(stub.requests[2]!)).toEqual([messages[0], { role: "user", content: "Say It is pear" }]);
  });

  it("starts from a response that is there, and fails what does not come about again", async () => {
    const stub = await serve(echo);
    const similarity = openSimilarity("exact");
    const verdict = await patchedResult({ messages, response: "It is drift" }, { llm: llmOf(), similarity });
    expect(verdict).toMatchObject({
      response: "It is drift",
      second: "It is else",
      score: 0,
      threshold: 1,
      passed: false,
    });
    expect(stub.requests).toHaveLength(2);
  });

  it("throws for what cannot go around, and when it is given up", async () => {
    await serve(() => "hang");
    const options = { llm: llmOf(), similarity: openSimilarity("exact") };
    await expect(patchedResult({ messages: messages.slice(0, 3) }, options)).rejects.toThrow("the user's turn");
    await expect(patchedResult({ messages }, { ...options, threshold: 0 })).rejects.toThrow("in (0, 1], got 0");
    const signal = AbortSignal.timeout(50);
    await expect(patchedResult({ messages }, { ...options, signal })).rejects.toThrow();
  });
});
