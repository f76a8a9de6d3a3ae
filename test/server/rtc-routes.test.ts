import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { failureOf, nameIt, post, question, startProxy } from "./proxied.ts";

const path = "/evaluate/v1/chat/completions";

describe("a server with an upstream", () => {
  it.each<[string, object, string]>([
    ["a threshold out of range", { threshold: 2 }, "in (0, 1], got 2"],
    ["a folder without prompts", { prompts: "nowhere" }, "nowhere"],
    ["a base URL that is none", { baseUrl: "host/v1" }, "https://host/v1"],
    ["a base URL with a password", { baseUrl: "http://a:b@host/v1" }, "OPENAI_API_KEY"],
    ["a key that no header carries", { apiKey: "a b" }, "printable ASCII"],
    ["no room for any call", { concurrency: 0 }, "`concurrency`"],
  ])("does not start with %s", async (_, rtc, message) => {
    await expect(startProxy(nameIt, rtc)).rejects.toThrow(message);
  });

  it("counts round trips, their ends and their time", async () => {
    const { client, url } = await startProxy((request, i) => (i >= 6 ? { status: 400 } : nameIt(request)));
    for (const name of ["pear", "drift"]) await client("/evaluate/v1").chat.completions.create(question(name));
    await failureOf(client("/evaluate/v1").chat.completions.create(question("pear")));
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [outcome, n] of Object.entries({ passed: 1, failed: 1, error: 1, gone: 0 })) {
      expect(text).toContain(`codescore_round_trips_total{outcome="${outcome}"} ${n}\n`);
    }
    expect(text).toContain("codescore_round_trip_duration_seconds_count 2\n");
    expect(text).toContain('codescore_requests_total{route="/evaluate/v1/chat/completions",status="200"} 2\n');
  });

  it("counts calls of the model against a client's rate: one, and three of a round trip", async () => {
    const { client } = await startProxy(nameIt, {}, { rateLimit: 4 });
    await client("/evaluate/v1").chat.completions.create(question("pear"));
    await client("/v1").chat.completions.create(question("pear"));
    for (const base of ["/v1", "/evaluate/v1"] as const) {
      const thrown = await failureOf(client(base).chat.completions.create(question("pear")));
      expect(thrown).toBeInstanceOf(OpenAI.RateLimitError);
      expect(thrown).toMatchObject({ code: "busy", type: "rate_limit_error" });
    }
  });

  it("takes no body that is too long, or that a page of another origin could send", async () => {
    const { url, stub } = await startProxy(nameIt, {}, { maxBodyBytes: 100 });
    for (const route of ["/v1/chat/completions", path]) {
      expect((await post(`${url}${route}`, "x".repeat(101))).status).toBe(413);
      expect((await post(`${url}${route}`, "{}", { "content-type": "text/plain" })).status).toBe(415);
      expect((await fetch(`${url}${route}`, { method: "OPTIONS" })).status).toBe(405);
    }
    const noJson = await post(`${url}${path}`, "{");
    expect([noJson.status, await noJson.json()]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
    expect(stub.requests).toHaveLength(0);
  });
});
