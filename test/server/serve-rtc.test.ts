/** The built command in front of a model server, used through OpenAI's client. */
import { rm } from "node:fs/promises";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { codescoreHere } from "../cli/run.ts";
import { startStub } from "../rtc/stub.ts";
import { makeModel } from "../score/model.ts";
import { nameIt, question, upstreamKey } from "./proxied.ts";
import { startServer } from "./served.ts";

const row = { candidate: "def f(x): return x\n", reference: "def f(x): return x\n" };

async function start(
  args: readonly string[],
  react = async (request: Parameters<typeof nameIt>[0]) => nameIt(request),
) {
  const stub = await startStub(react);
  onTestFinished(() => stub.close());
  const env = { OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: upstreamKey };
  const server = await startServer(["--rtc", ...args], env);
  const client = new OpenAI({ baseURL: `${server.url}/evaluate/v1`, apiKey: "any", maxRetries: 0 });
  return { ...server, stub, client };
}

describe("codescore serve --rtc", () => {
  it("evaluates by a similarity of text without loading a model, until a row is to be scored", async () => {
    const { client, url, stderr, stub } = await start(["--sims", "rouge-l", "--threshold", "rouge-l=0.9"]);
    const answer = await client.chat.completions.create(question("pear"));
    expect(answer).toMatchObject({
      choices: [{ message: { content: "It is pear" } }],
      codescore_rtc: { threshold: 0.9, similarity: expect.stringMatching(/^rouge-l\|/) },
    });
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ signature: "codescore|not loaded yet" });
    const scored = await fetch(`${url}/v1/score`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rows: [row] }),
    });
    expect(await scored.json()).toMatchObject({ rows: [{ signature: expect.stringMatching(/^codescore\|model:/) }] });
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({
      signature: expect.stringMatching(/^codescore\|model:/),
    });
    expect(stderr()).toContain(`proxy for ${stub.url}: /v1, and /evaluate/v1 by rouge-l|`);
    expect(stderr()).not.toContain(upstreamKey);
    expect(stub.requests[0]!.authorization).toBe(`Bearer ${upstreamKey}`);
  });

  it("evaluates by the scorer where that is the similarity", async () => {
    const model = await makeModel();
    onTestFinished(() => rm(model, { recursive: true }));
    const { client } = await start(["--sims", "codescore", "--model", model, "--threshold", "codescore=0.001"]);
    expect(await client.chat.completions.create(question("pear"))).toMatchObject({
      codescore_rtc: { passed: true, similarity: expect.stringMatching(/^codescore\|model:/) },
    });
  });

  it("answers on SIGTERM the round trips that are under way", async () => {
    const { client, child, ended, stub } = await start(["--sims", "exact"], async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return nameIt(request);
    });
    const asked = client.chat.completions.create(question("pear"));
    await expect.poll(() => stub.requests.length).toBe(1);
    child.kill("SIGTERM");
    expect((await asked).choices[0]!.message.content).toBe("It is pear");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it.each<[string[], RegExp]>([
    [["--sims", "chrf"], /`sims` is an option of the round trip: expected --rtc/],
    [["--rtc", "--sims", "chrf,bleu"], /expected one similarity for --sims, got 2: chrf, bleu/],
    [["--rtc", "--sims", "nothing"], /unknown similarity `nothing`/],
    [["--rtc", "--sims", "pass"], /`pass` runs programs, and the round trip of a chat request runs none/],
    [["--rtc", "--threshold", "bleu=0.5"], /expected a threshold of chrf/],
    [["--rtc", "--prompts", "/nowhere"], /nowhere/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await codescoreHere(["serve", "--port", "0", ...args]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
