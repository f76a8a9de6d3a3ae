import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { CodescoreError } from "../../../src/errors.ts";
import type { LlmRequest } from "../../../src/rtc/llm/llm.ts";
import { narrowing } from "../../../src/rtc/llm/narrowing.ts";
import { type OpenAiOptions, openAiLlm } from "../../../src/rtc/llm/openai.ts";
import { type Reaction, type Stub, type StubRequest, startStub } from "../stub.ts";

let stub: Stub | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const ask = (over: Partial<LlmRequest> = {}): LlmRequest => ({
  prompt: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Describe." },
  ],
  n: 1,
  temperature: 0.8,
  maxTokens: 64,
  about: { taskId: "t/1", direction: "forward", first: 0 },
  ...over,
});

const ok: Reaction = { texts: ["fine"] };

async function against(
  reactions: readonly Reaction[] | ((request: StubRequest, i: number) => Reaction | Promise<Reaction>),
  options: Partial<OpenAiOptions> = {},
) {
  stub = await startStub(typeof reactions === "function" ? reactions : (_, i) => reactions[i] ?? ok);
  return openAiLlm({ model: "m", baseUrl: stub.url, apiKey: "secret", backoffMs: 5, timeoutMs: 5000, ...options });
}

const failure = async (promise: Promise<unknown>): Promise<CodescoreError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CodescoreError);
  return error as CodescoreError;
};

describe("a request", () => {
  it("sends a conversation to the chat endpoint with the key as bearer token", async () => {
    const llm = await against([{ texts: ["one", "two"] }]);
    expect(await llm.complete(ask({ n: 2, seed: 7 }))).toEqual(["one", "two"]);
    expect(stub!.requests).toEqual([
      {
        path: "/v1/chat/completions",
        authorization: "Bearer secret",
        body: {
          model: "m",
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "Describe." },
          ],
          n: 2,
          temperature: 0.8,
          max_tokens: 64,
          seed: 7,
        },
      },
    ]);
    expect(llm.usage).toEqual({ requests: 1, retries: 0, promptTokens: 10, completionTokens: 3, truncated: 0 });
  });

  it("adds up what the calls cost, by the price of a million tokens", async () => {
    const llm = await against([{ texts: ["one"] }, { texts: ["two"] }], { price: { prompt: 0.15, completion: 0.6 } });
    await llm.complete(ask());
    await llm.complete(ask());
    expect(llm.usage).toMatchObject({ promptTokens: 20, completionTokens: 6 });
    expect(llm.usage!.cost).toBeCloseTo((20 * 0.15 + 6 * 0.6) / 1e6, 15);
  });

  it("lays turns out under their heads for a base model, and stops at any other one", async () => {
    const llm = await against([ok], { api: "completions", apiKey: "" });
    await llm.complete(ask());
    expect(stub!.requests[0]).toMatchObject({
      path: "/v1/completions",
      body: {
        prompt: "[system]\nBe brief.\n\n[user]\nDescribe.\n\n[assistant]\n",
        stop: ["\n[user]", "\n[assistant]", "\n[system]"],
      },
    });
    expect(stub!.requests[0]!.authorization).toBeUndefined();
    expect(stub!.requests[0]!.body).not.toHaveProperty("seed");
  });

  it.each([
    ["[system]\nBe brief.", ""],
    ["Adds.\n[user]\nMore?\n", "Adds.\n"],
    ["[assistant]\nAdds.\n\n[assistant]", "Adds.\n\n"],
    ["Reads [user] and\nx[system]\n", "Reads [user] and\nx[system]\n"],
  ])("ends the answer %j of a base model at a heading", async (text, own) => {
    const llm = await against([{ texts: [text] }], { api: "completions" });
    expect(await llm.complete(ask())).toEqual([own]);
  });

  it("hands a text on as it is", async () => {
    const llm = await against([ok, ok], { api: "completions" });
    await llm.complete(ask({ prompt: "def f(" }));
    expect(stub!.requests[0]!.body).toMatchObject({ prompt: "def f(" });
  });

  it("asks again, with the next seed, for samples that a server without `n` did not give", async () => {
    const llm = await against([{ texts: ["a"] }, { texts: ["b"] }, { texts: ["c"] }]);
    expect(await llm.complete(ask({ n: 3, seed: 5, about: { taskId: "t", direction: "backward", first: 2 } }))).toEqual(
      ["a", "b", "c"],
    );
    expect(stub!.requests.map(({ body }) => [body.n, body.seed])).toEqual([
      [3, 7],
      [2, 8],
      [1, 9],
    ]);
  });

  it("asks one at a time, with the next seeds, where the server refuses several at once", async () => {
    const refusal = `{"error":{"code":400,"message":"Field 'n': Value must be between 1 <= value <= 1, but got 3"}}`;
    const llm = await against(({ body }, i) =>
      Number(body.n) > 1 ? { status: 400, text: refusal } : { texts: [`answer ${i}`] },
    );
    expect(await llm.complete(ask({ n: 3, seed: 7 }))).toEqual(["answer 1", "answer 2", "answer 3"]);
    expect(await llm.complete(ask({ n: 2, seed: 7 }))).toEqual(["answer 4", "answer 5"]);
    const asked = stub!.requests.map(({ body }) => `${body.n} from ${body.seed}`);
    expect(asked).toEqual(["3 from 7", "1 from 7", "1 from 8", "1 from 9", "1 from 7", "1 from 8"]);
  });

  it("says what the server refused where one alone is refused too", async () => {
    const llm = await against(() => ({ status: 400, text: "the prompt is too long" }));
    const error = await failure(llm.complete(ask({ n: 2 })));
    expect([error.code, stub!.requests.length]).toEqual(["input", 2]);
    expect(error.message).toContain("the prompt is too long");
  });

  it("counts the answers that the limit of tokens ended", async () => {
    const choices = ["length", "stop", "length"].map((finish_reason, index) => {
      return { index, finish_reason, message: { role: "assistant", content: "x" } };
    });
    const llm = await against([{ texts: [], over: { choices } }]);
    await llm.complete(ask({ n: 3 }));
    expect(llm.usage!.truncated).toBe(2);
  });

  it("takes a refusal without content as an empty answer", async () => {
    const llm = await against([{ texts: [null] }]);
    expect(await llm.complete(ask())).toEqual([""]);
  });

  it("keeps to the number of calls at a time", async () => {
    const llm = await against(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return ok;
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 12 }, () => llm.complete(ask())));
    expect(stub!.requests).toHaveLength(12);
    expect(stub!.peak()).toBe(3);
  });
});

describe("a failure that may pass is tried again", () => {
  it.each<[string, Reaction]>([
    ["HTTP 500", { status: 500 }],
    ["HTTP 503", { status: 503 }],
    ["HTTP 429 without Retry-After", { status: 429 }],
    ["a body cut short", "cut"],
    ["a connection closed at once", "refuse"],
    ["JSON that does not end", "malformed"],
    ["no answer in time", "hang"],
    ["an error under status 200", { status: 200, text: '{"error": "overloaded"}' }],
  ])("%s", async (_, reaction) => {
    const llm = await against([reaction, ok], { timeoutMs: 300 });
    expect(await llm.complete(ask())).toEqual(["fine"]);
    expect(stub!.requests).toHaveLength(2);
    expect(llm.usage.retries).toBe(1);
  });

  it("waits as long as Retry-After says, in seconds or as a date", async () => {
    const llm = await against([{ status: 429, headers: { "retry-after": "0.3" } }, ok]);
    const began = Date.now();
    await llm.complete(ask());
    expect(Date.now() - began).toBeGreaterThanOrEqual(290);
    await stub!.close();
    const date = new Date(Date.now() + 2000).toUTCString(); // whole seconds, so one to two from now
    const again = await against([{ status: 503, headers: { "retry-after": date } }, ok]);
    const then = Date.now();
    await again.complete(ask());
    expect(Date.now() - then).toBeGreaterThanOrEqual(900);
  });
});

describe("a server that answers one call after another", () => {
  it("gets fewer calls at a time, so that all are answered within the time limit", { timeout: 30_000 }, async () => {
    let last: Promise<void> = Promise.resolve();
    const llm = await against(
      async (_, i) => {
        // Each answer takes half of the time limit. Like llama.cpp's server, it drops calls whose client has gone.
        last = last.then(async () => void (stub?.raw[i]?.aborted || (await sleep(300))));
        await last;
        return ok;
      },
      { timeoutMs: 580, concurrency: 8 },
    );
    const asked = Array.from({ length: 8 }, (_, i) =>
      llm.complete(ask({ about: { taskId: `t/${i}`, direction: "forward", first: 0 } })),
    );
    expect(await Promise.all(asked)).toEqual(Array(8).fill(["fine"]));
  });

  it("keeps its calls where a single one is lost, and halves them where two of four are", async () => {
    const late = new Error("late");
    const left = async (lost: readonly number[]) => {
      const narrow = narrowing(4);
      const calls = Array.from({ length: 40 }, (_, i) =>
        narrow.run(
          () => (lost.includes(i) ? Promise.reject(late) : sleep(1)),
          (error) => error === late,
        ),
      );
      await Promise.allSettled(calls);
      return narrow.width();
    };
    expect(await left([20])).toBe(4);
    expect(await left([20, 35])).toBe(4);
    expect(await left([20, 21])).toBe(2);
  });

  it("says how to wait longer where even one call is too slow", async () => {
    const llm = await against(() => "hang", { timeoutMs: 50, retries: 1 });
    const error = await failure(llm.complete(ask()));
    expect(error.message).toContain("no answer within 50 ms (2 tries); if the server is slow, use a longer --timeout");
  });
});

describe("a failure that stays", () => {
  it("is reported as infra after the tries, with what the server said", async () => {
    const llm = await against(() => ({ status: 500, text: "disk full" }), { retries: 2 });
    const error = await failure(llm.complete(ask()));
    expect(error.code).toBe("infra");
    expect(error.message).toContain("HTTP 500: disk full (3 tries)");
    expect(stub!.requests).toHaveLength(3);
  });

  it("is reported at once when the server asks for a longer pause than allowed", async () => {
    const llm = await against(() => ({ status: 429, headers: { "retry-after": "3600" } }));
    const error = await failure(llm.complete(ask()));
    expect(error.message).toContain("the server asks to wait 3600 s");
    expect(stub!.requests).toHaveLength(1);
  });

  it.each([
    [401, "environment", "refused the key"],
    [403, "environment", "refused the key"],
    [404, "environment", "check the base URL"],
    [400, "input", "HTTP 400"],
    [422, "input", "HTTP 422"],
  ])("HTTP %i is not tried again and is an error of %s", async (status, code, message) => {
    const llm = await against(() => ({ status }));
    const error = await failure(llm.complete(ask()));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("secret");
    expect(stub!.requests).toHaveLength(1);
  });

  it.each([
    ["127.0.0.1", "ECONNREFUSED"],
    ["localhost", "ECONNREFUSED"],
    ["127.0.0.1:9", "bad port"], // fetch refuses it without a try
  ])("says within 2 s that a server at %s was never reached, and how to fix it", async (host, reason) => {
    await against([]);
    await stub!.close();
    const baseUrl = host.includes(":") ? `http://${host}` : stub!.url.replace("127.0.0.1", host);
    const llm = openAiLlm({ model: "m", baseUrl, concurrency: 1 });
    const began = performance.now();
    for (const _ of "abc") {
      const error = await failure(llm.complete(ask()));
      expect(error.code).toBe("infra");
      expect(error.message).toMatch(
        new RegExp(
          `^${baseUrl}/chat/completions: connection failed: .*(${reason}).*; start the server, or correct its address \\(OPENAI_BASE_URL\\)$`,
        ),
      );
    }
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it("keeps its retries once the server has answered", async () => {
    const llm = await against([ok], { retries: 4, backoffMs: 1 });
    await llm.complete(ask());
    await stub!.close();
    expect((await failure(llm.complete(ask()))).message).toMatch(/ECONNREFUSED.* \(5 tries\)$/);
  });

  it.each(["localhost:8000", "ftp://x", ""])("refuses the base URL `%s`", (baseUrl) => {
    expect(() => openAiLlm({ model: "m", baseUrl })).toThrow(/expected the base URL/);
  });
});
