import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { readEvaluateRequest } from "../../src/server/evaluate-request.ts";
import { nameIt, post, question, startProxy } from "./proxied.ts";

const turn = { role: "user", content: "q" };

describe("a request that cannot be evaluated", () => {
  it.each<[string, object, string]>([
    ["several choices", { n: 2 }, "n"],
    ["tools", { tools: [{ type: "function", function: { name: "f" } }] }, "tools"],
    ["a tool that must be called", { tool_choice: "required" }, "tool_choice"],
    ["functions", { functions: [{ name: "f" }] }, "functions"],
    ["log probabilities", { logprobs: true }, "logprobs"],
    ["top log probabilities", { top_logprobs: 3 }, "top_logprobs"],
    ["sound", { modalities: ["text", "audio"] }, "modalities"],
    ["a voice", { audio: { voice: "alloy" } }, "audio"],
    ["a search", { web_search_options: {} }, "web_search_options"],
    ["a prediction", { prediction: { type: "content", content: "x" } }, "prediction"],
    ["JSON of any form", { response_format: { type: "json_object" } }, "response_format"],
    ["an unknown format", { response_format: { type: "xml" } }, "response_format"],
    ["a format that is none", { response_format: "json" }, "response_format"],
    ["a field that nobody knows", { temprature: 1 }, "temprature"],
    ["no model", { model: "" }, "model"],
    ["a stream that is no boolean", { stream: "yes" }, "stream"],
    ["options of a stream without one", { stream_options: { include_usage: true } }, "stream_options"],
    ["unknown options of a stream", { stream: true, stream_options: { x: 1 } }, "stream_options"],
    ["no turns", { messages: [] }, "messages"],
    ["a last turn that is not the user's", { messages: [turn, { role: "assistant", content: "a" }] }, "messages"],
    ["a tool's turn", { messages: [{ role: "tool", content: "1", tool_call_id: "c" }, turn] }, "messages[0].role"],
    [
      "a turn with calls",
      { messages: [{ role: "assistant", content: "", tool_calls: [{}] }, turn] },
      "messages[0].tool_calls",
    ],
    ["a turn without content", { messages: [{ role: "assistant", content: null }, turn] }, "messages[0].content"],
    ["a name", { messages: [{ ...turn, name: "bob" }] }, "messages[0].name"],
    [
      "an image",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
      "messages[0].content",
    ],
    ["a turn that is none", { messages: ["q"] }, "messages[0]"],
  ])("is refused with the field at fault: %s", async (_, fields, param) => {
    const { url, stub } = await startProxy(nameIt);
    const response = await post(
      `${url}/evaluate/v1/chat/completions`,
      JSON.stringify({ model: "m", messages: [turn], ...fields }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(/expected|cannot be evaluated|is not supported/),
        type: "invalid_request_error",
        param,
        code: "input",
      },
    });
    expect(stub.requests).toHaveLength(0);
  });

  it("is raised by OpenAI's client as its own error", async () => {
    const { client } = await startProxy(nameIt);
    const asked = client("/evaluate/v1").chat.completions.create({ ...question("pear"), n: 2, stream: true });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(asked).rejects.toMatchObject({ param: "n", type: "invalid_request_error" });
  });
});

describe("a request that can", () => {
  it("may hold null for what it leaves out, texts in parts, and earlier answers as they came", () => {
    const request = readEvaluateRequest({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
        { role: "assistant", content: "c", refusal: null, annotations: [], tool_calls: null },
        turn,
      ],
      n: null,
      tools: [],
      tool_choice: "none",
      temperature: null,
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    });
    expect(request).toEqual({
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "a\nb" },
        { role: "assistant", content: "c" },
        turn,
      ],
      system: "system",
      answering: {},
      writing: {},
      stream: true,
      includeUsage: true,
    });
  });

  it("gives the call that writes Q1 room, in the client's word for it", () => {
    const writing = (fields: object) => readEvaluateRequest({ model: "m", messages: [turn], ...fields }).writing;
    expect(writing({ max_tokens: 10 })).toEqual({ max_tokens: 1024 });
    expect(writing({ max_completion_tokens: 5000, temperature: 2 })).toEqual({
      max_completion_tokens: 5000,
      temperature: 0.1,
    });
    expect(writing({ max_tokens: "many" })).toEqual({ max_tokens: "many" }); // the upstream refuses it
  });
});
