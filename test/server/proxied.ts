/** A server with `rtc` on a socket, in front of a stub, and OpenAI's own client for it. */
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { openSimilarity } from "../../src/rtc/index.ts";
import { type AppOptions, createApp, listen, type RtcOptions } from "../../src/server/index.ts";
import { type Reaction, type StubRequest, startStub } from "../rtc/stub.ts";
import { fakeScorer } from "./fake.ts";

/** The upstream's key. It is long enough to count as a secret. */
export const upstreamKey = "sk-upstream-0123456789";

export async function startProxy(
  react: (request: StubRequest, index: number) => Reaction | Promise<Reaction>,
  rtc: Partial<RtcOptions> = {},
  app: Partial<AppOptions> = {},
) {
  const stub = await startStub(react);
  onTestFinished(() => stub.close());
  const similarity = openSimilarity("rouge-l");
  const options = { baseUrl: stub.url, apiKey: upstreamKey, similarity, retries: 0, ...rtc };
  const server = await listen(await createApp({ scorer: fakeScorer(), rtc: options, ...app }), {
    port: 0,
    graceMs: 100,
  });
  onTestFinished(async () => void (await server.close()));
  const client = (base: "/v1" | "/evaluate/v1", over: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}) =>
    new OpenAI({ baseURL: `${server.url}${base}`, apiKey: "client-key", maxRetries: 0, ...over });
  return { stub, server, client, url: server.url };
}

/** A model that answers `name it X` with `It is X`. The query that it writes for that asks for X again, except for `drift`. */
export function nameIt({ body }: StubRequest): { readonly texts: string[] } {
  const turns = body.messages as { content: string }[];
  const said = turns.at(-1)!.content;
  const response = /<response>\n(.*)\n<\/response>/s.exec(said)?.[1];
  if (response !== undefined) return { texts: [response.includes("drift") ? "say else" : `say ${response.slice(6)}`] };
  return { texts: [`It is ${said.split(" ").at(-1)}`] };
}

export const question = (name: string) => ({
  model: "m",
  messages: [{ role: "user" as const, content: `name it ${name}` }],
});

/** The error that a promise rejects with; null if it resolves. */
export const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => null,
    (error: unknown) => error,
  );

export const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
