import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { consistencyPrompt, openSimilarity } from "../../src/rtc/index.ts";
import type { Reaction, StubRequest } from "../rtc/stub.ts";
import { failureOf, nameIt, post, question, startProxy } from "./proxied.ts";

type Report = { readonly codescore_rtc: Record<string, unknown> };

const path = "/evaluate/v1/chat/completions";
const slowly = async (request: StubRequest): Promise<Reaction> => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return nameIt(request);
};
const lines = (text: string): string[] => text.split("\n\n").filter((line) => line !== "");
const chunksIn = (text: string): Record<string, unknown>[] =>
  lines(text)
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

describe("POST /evaluate/v1/chat/completions", () => {
  it("answers what comes about again, with the score in headers and body, and all calls' usage", async () => {
    const over = {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 5,
      model: "m-2024",
      system_fingerprint: "fp",
      usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13, prompt_tokens_details: { cached_tokens: 2 } },
    };
    const { client, stub } = await startProxy((request) => ({ ...nameIt(request), over }));
    const { data, response } = await client("/evaluate/v1").chat.completions.create(question("pear")).withResponse();
    const report = { passed: true, score: 1, threshold: 0.8, recited: false, reason: null };
    expect(data).toEqual({
      ...over,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "It is pear", refusal: null },
          finish_reason: "stop",
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39, prompt_tokens_details: { cached_tokens: 6 } },
      codescore_rtc: { ...report, similarity: expect.stringMatching(/^rouge-l\|/) },
    });
    const header = (name: string) => response.headers.get(`x-codescore-rtc-${name}`);
    expect(["passed", "score", "threshold", "recited", "reason"].map(header)).toEqual([
      "true",
      "1",
      "0.8",
      "false",
      null,
    ]);
    expect(header("similarity")).toBe((data as unknown as Report).codescore_rtc.similarity);
    expect(stub.requests).toHaveLength(3);
  });

  it("answers with an empty content what does not, and says why", async () => {
    const { client } = await startProxy(nameIt);
    const { data, response } = await client("/evaluate/v1").chat.completions.create(question("drift")).withResponse();
    expect(data.choices).toEqual([
      {
        index: 0,
        message: { role: "assistant", content: "", refusal: null },
        finish_reason: "content_filter",
        logprobs: null,
      },
    ]);
    expect(data.usage).toEqual({ prompt_tokens: 30, completion_tokens: 9 });
    const { codescore_rtc: report } = data as unknown as Report;
    expect(report).toMatchObject({ passed: false, reason: "below_threshold" });
    expect(report.score).toBeCloseTo(2 / 3, 9); // `It is drift` and `It is else`
    expect(response.headers.get("x-codescore-rtc-passed")).toBe("false");
    expect(response.headers.get("x-codescore-rtc-score")).toBe(String(report.score));
    expect(response.headers.get("x-codescore-rtc-reason")).toBe("below_threshold");
    expect(JSON.stringify(data)).not.toContain("It is");
  });

  it("takes threshold, similarity and consistency prompt from the server", async () => {
    const low = await startProxy(nameIt, { threshold: 0.6, consistency: true });
    const passed = await low.client("/evaluate/v1").chat.completions.create(question("drift"));
    expect(passed.choices[0]!.message.content).toBe("It is drift");
    const first = low.stub.requests.map(({ body }) => (body.messages as { content: string }[])[0]!.content);
    expect(first).toEqual([consistencyPrompt, consistencyPrompt, consistencyPrompt]);
    const exact = await startProxy(nameIt, { similarity: openSimilarity("exact") });
    const failed = await exact.client("/evaluate/v1").chat.completions.create(question("drift"));
    expect(failed).toMatchObject({ codescore_rtc: { score: 0, threshold: 1 } });
  });

  it("samples as the client set it; Q1 is written without what is about the answer's shape", async () => {
    const { client, stub } = await startProxy(nameIt);
    const settings = { top_p: 0.9, seed: 3, stop: ["\n\n"], temperature: 0.7, max_tokens: 50, user: "u" };
    await client("/evaluate/v1").chat.completions.create({
      ...question("pear"),
      ...settings,
      n: 1,
      tools: [],
      logprobs: false,
      response_format: { type: "text" },
      messages: [{ role: "developer", content: "Be brief." }, ...question("pear").messages],
    });
    const bodies = stub.requests.map(({ body: { messages, ...body } }) => ({
      ...body,
      roles: (messages as { role: string }[]).map(({ role }) => role),
    }));
    const answering = { model: "m", ...settings, response_format: { type: "text" }, roles: ["developer", "user"] };
    expect(bodies[0]).toEqual(answering);
    expect(bodies[1]).toEqual({ model: "m", seed: 3, user: "u", temperature: 0.1, max_tokens: 1024, roles: ["user"] });
    expect(bodies[2]).toEqual(answering);
  });

  it("sets nothing that the client did not: models that think refuse a temperature", async () => {
    const { client, stub } = await startProxy(nameIt);
    const thinking = { max_completion_tokens: 9000, reasoning_effort: "low" } as const;
    await client("/evaluate/v1").chat.completions.create({ ...question("pear"), ...thinking });
    for (const { body } of stub.requests) expect(body).toEqual({ model: "m", messages: body.messages, ...thinking });
  });

  it("asks no further where the model says nothing", async () => {
    const { client, stub } = await startProxy(() => ({ texts: [null] }));
    const { data, response } = await client("/evaluate/v1").chat.completions.create(question("pear")).withResponse();
    expect(data).toMatchObject({
      codescore_rtc: { passed: false, score: null, recited: null, reason: "empty_response" },
    });
    expect(response.headers.get("x-codescore-rtc-score")).toBeNull();
    expect(stub.requests).toHaveLength(1);
  });

  it("lets nothing pass of which the similarity has no value", async () => {
    const similarity = { name: "blind", compare: async () => [Number.NaN] };
    const { client } = await startProxy(nameIt, { similarity });
    const answer = await client("/evaluate/v1").chat.completions.create(question("pear"));
    expect(answer).toMatchObject({
      choices: [{ message: { content: "" } }],
      codescore_rtc: { score: null, reason: "no_score" },
    });
  });

  it.each([
    [429, OpenAI.RateLimitError, 0],
    [400, OpenAI.BadRequestError, 1],
    [404, OpenAI.NotFoundError, 2],
    [500, OpenAI.InternalServerError, 2],
  ] as const)("lets the client raise its own error for HTTP %i of the upstream", async (status, kind, at) => {
    const error = { message: "as told", type: "t", param: "p", code: "c" };
    const headers = { "content-type": "application/json", "retry-after": "70" };
    for (const stream of [false, true]) {
      const { client } = await startProxy((request, i) =>
        i === at ? { status, headers, text: JSON.stringify({ error }) } : nameIt(request),
      );
      const thrown = await failureOf(client("/evaluate/v1").chat.completions.create({ ...question("pear"), stream }));
      expect(thrown).toBeInstanceOf(kind);
      expect(thrown).toMatchObject({ status, error });
      expect((thrown as InstanceType<typeof OpenAI.APIError>).headers!.get("retry-after")).toBe("70");
    }
  });

  it.each<[string, Reaction, object]>([
    ["is not there", "refuse", { status: 502, type: "server_error" }],
    ["is cut off", "cut", { status: 502, type: "server_error" }],
    ["says no JSON", "malformed", { status: 502, type: "server_error" }],
    ["is too slow", "hang", { status: 504, type: "server_error" }],
    [
      "fails without JSON",
      { status: 503, text: "down" },
      { status: 503, message: expect.stringMatching(/HTTP 503: down/) },
    ],
    [
      "fails in another form",
      { status: 422, text: '{"detail": "no"}' },
      { status: 422, message: expect.stringMatching(/\{"detail": "no"\}/) },
    ],
  ])("says so where the upstream %s", async (_, reaction, expected) => {
    const { client } = await startProxy(() => reaction, { timeoutMs: 3000 });
    expect(await failureOf(client("/evaluate/v1").chat.completions.create(question("pear")))).toMatchObject(expected);
  });

  it("tries a call again that failed, and goes on from there", async () => {
    const { client, stub } = await startProxy((request, i) => (i === 1 ? "malformed" : nameIt(request)), {
      retries: 1,
    });
    const answer = await client("/evaluate/v1").chat.completions.create(question("pear"));
    expect(answer.choices[0]!.message.content).toBe("It is pear");
    expect(stub.requests).toHaveLength(4);
  });

  it("gives the calls up when the client goes away", async () => {
    const { client, stub, url } = await startProxy((request, i) => (i === 1 ? "hang" : nameIt(request)));
    const leaving = new AbortController();
    const asked = client("/evaluate/v1").chat.completions.create(question("pear"), { signal: leaving.signal });
    await expect.poll(() => stub.raw.length).toBe(2);
    leaving.abort();
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await expect.poll(() => stub.raw[1]!.aborted).toBe(true);
    await expect
      .poll(async () => (await fetch(`${url}/metrics`)).text())
      .toContain('codescore_round_trips_total{outcome="gone"} 1');
    expect(stub.requests).toHaveLength(2);
  });

  it("answers many at once, each with its own", async () => {
    const { client, stub } = await startProxy(slowly, { concurrency: 4 });
    const names = Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? "drift" : `pear-${i}`));
    const answers = await Promise.all(
      names.map(async (name) => (await client("/evaluate/v1").chat.completions.create(question(name))).choices[0]!),
    );
    expect(answers.map(({ message }) => message.content)).toEqual(
      names.map((name) => (name === "drift" ? "" : `It is ${name}`)),
    );
    expect(stub.peak()).toBe(4);
  });
});

describe("an evaluated stream", () => {
  const streamed = { ...question("pear"), stream: true, stream_options: { include_usage: true } } as const;

  it("has the chunks of a completion, and the headers where the verdict is there in time", async () => {
    const { url } = await startProxy(nameIt);
    const response = await post(`${url}${path}`, JSON.stringify(streamed));
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("x-codescore-rtc-score")).toBe("1");
    const text = await response.text();
    expect(lines(text).at(-1)).toBe("data: [DONE]");
    const chunks = chunksIn(text);
    const head = { object: "chat.completion.chunk", id: chunks[0]!.id, created: chunks[0]!.created, model: "m" };
    const piece = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
    });
    expect(chunks).toEqual([
      piece({ role: "assistant", content: "", refusal: null }),
      piece({ content: "It is pear" }),
      { ...piece({}, "stop"), codescore_rtc: expect.objectContaining({ passed: true, score: 1 }) },
      { ...head, choices: [], usage: { prompt_tokens: 30, completion_tokens: 9 } },
    ]);
  });

  it("keeps a client waiting with comments, and says in its last chunk where the score stands", async () => {
    const { url, client } = await startProxy(slowly, { keepAliveMs: 20 });
    const response = await post(
      `${url}${path}`,
      JSON.stringify({ ...streamed, ...question("drift"), stream_options: null }),
    );
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-codescore"))).toEqual([]);
    const text = await response.text();
    const comments = lines(text).filter((line) => line.startsWith(":"));
    expect(comments.length).toBeGreaterThan(2);
    expect(lines(text).indexOf("data: [DONE]")).toBe(lines(text).length - 1);
    const chunks = chunksIn(text);
    expect(chunks.map(({ choices }) => choices)).toMatchObject([
      [{ delta: { role: "assistant", content: "" } }],
      [{ delta: {}, finish_reason: "content_filter" }],
    ]);
    expect(chunks[0]).not.toHaveProperty("usage");
    expect(chunks.at(-1)).toMatchObject({ codescore_rtc: { passed: false, reason: "below_threshold" } });

    const stream = client("/evaluate/v1").chat.completions.stream(streamed);
    expect((await stream.finalChatCompletion()).choices[0]!.message.content).toBe("It is pear");
    expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 30, completion_tokens: 9 });
  });

  it("ends with an error that the client raises when a call fails under way", async () => {
    const error = { message: "as told", type: "t", param: null, code: "c" };
    const { client } = await startProxy(
      async (request, i) => (i === 2 ? { status: 429, text: JSON.stringify({ error }) } : slowly(request)),
      { keepAliveMs: 20 },
    );
    const stream = await client("/evaluate/v1").chat.completions.create(streamed);
    const thrown = await failureOf(
      (async () => {
        for await (const _ of stream);
      })(),
    );
    expect(thrown).toBeInstanceOf(OpenAI.APIError);
    expect(thrown).toMatchObject({ error });
  });

  it("gives the calls up when nobody reads on", async () => {
    const { client, stub } = await startProxy((request, i) => (i === 1 ? "hang" : nameIt(request)), {
      keepAliveMs: 20,
    });
    const stream = await client("/evaluate/v1").chat.completions.create(streamed);
    await expect.poll(() => stub.raw.length).toBe(2);
    stream.controller.abort();
    await expect.poll(() => stub.raw[1]!.aborted).toBe(true);
    expect(stub.requests).toHaveLength(2);
  });
});
