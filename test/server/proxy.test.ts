import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failureOf, post, question, startProxy, upstreamKey } from "./proxied.ts";
import { request as bytesOf, Connection } from "./raw.ts";

const path = "/v1/chat/completions";
const events = ['data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n', "data: [DONE]\n\n"];

afterEach(() => vi.restoreAllMocks());

describe("POST /v1/chat/completions", () => {
  it("hands on the very bytes of both sides, with the headers that matter", async () => {
    const said = Buffer.from('{ "ünï": 1.0e2,\n\n "x":\t"\\u00e4" }');
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "openai-processing-ms": "7",
      "x-request-id": "req_up",
      "access-control-allow-origin": "*",
      "set-cookie": ["a=1", "b=2"],
      "strict-transport-security": "max-age=1",
      connection: "x-hop",
      "x-hop": "1",
    };
    const { stub, url } = await startProxy(() => ({ pieces: [said], headers }));
    const sent = '{"model": "m",   "messages": [], "ä": 1.50, "big": 12345678901234567890}';
    const response = await post(`${url}${path}?api-version=1`, sent, {
      "openai-beta": "x=1",
      "x-own": "yes",
      cookie: "c=1",
      authorization: "Bearer client-key",
      te: "trailers",
    });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(said);
    expect(stub.raw[0]).toMatchObject({ method: "POST", text: sent });
    expect(stub.requests[0]).toMatchObject({ path: `${path}?api-version=1`, authorization: `Bearer ${upstreamKey}` });
    expect(stub.raw[0]!.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(sent)),
      "openai-beta": "x=1",
      "x-own": "yes",
      host: new URL(stub.url).host,
    });
    for (const name of ["cookie", "te"]) expect(stub.raw[0]!.headers).not.toHaveProperty(name);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("openai-processing-ms")).toBe("7");
    expect(response.headers.get("x-request-id")).toBe("req_up");
    for (const name of ["access-control-allow-origin", "set-cookie", "strict-transport-security", "x-hop"]) {
      expect(response.headers.get(name), name).toBeNull();
    }
  });

  it("leaves it to the upstream to say what is wrong with a request", async () => {
    const text = '{"error": {"message": "bad json", "type": "invalid_request_error", "param": null, "code": null}}';
    const { stub, url } = await startProxy(() => ({
      status: 400,
      text,
      headers: { "content-type": "application/json" },
    }));
    const response = await post(`${url}${path}`, "{no json");
    expect([response.status, await response.text()]).toEqual([400, text]);
    expect(stub.raw[0]!.text).toBe("{no json");
  });

  it("unpacks an answer that comes packed though nobody asked for that", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { url } = await startProxy(() => ({ pieces: [gzipSync('{"a": 1}')], headers }));
    const socket = new Connection(url);
    socket.socket.write(bytesOf(path, "{}", { headers: { Connection: "close" } }));
    let bytes = "";
    socket.socket.on("data", (piece) => {
      bytes += piece;
    });
    await new Promise((resolve) => socket.socket.once("close", resolve));
    expect(bytes).toContain('{"a": 1}');
    expect(bytes).not.toMatch(/content-encoding/i);
  });

  it("follows no redirect", async () => {
    const { stub, url } = await startProxy(() => ({
      status: 307,
      headers: { location: "http://127.0.0.1:1/" },
      text: "",
    }));
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([307, "http://127.0.0.1:1/"]);
    expect(stub.requests).toHaveLength(1);
  });

  it("serves OpenAI's client, models included", async () => {
    const { stub, client } = await startProxy(({ path: asked }) =>
      asked.endsWith("/models")
        ? { pieces: ['{"object": "list", "data": [{"id": "m"}]}'], headers: { "content-type": "application/json" } }
        : { texts: ["fine"], over: { id: "c1" } },
    );
    const completion = await client("/v1").chat.completions.create(question("pear"));
    expect(completion).toMatchObject({ id: "c1", choices: [{ message: { content: "fine" } }] });
    for (const base of ["/v1", "/evaluate/v1"] as const) {
      expect((await client(base).models.list()).data).toEqual([{ id: "m" }]);
    }
    expect(stub.requests.map((request) => request.path)).toEqual([path, "/v1/models", "/v1/models"]);
    expect(stub.requests.every(({ authorization }) => authorization === `Bearer ${upstreamKey}`)).toBe(true);
  });

  it.each([
    [429, OpenAI.RateLimitError, { "retry-after": "7" }],
    [400, OpenAI.BadRequestError, {}],
    [403, OpenAI.PermissionDeniedError, {}],
    [404, OpenAI.NotFoundError, {}],
    [422, OpenAI.UnprocessableEntityError, {}],
    [500, OpenAI.InternalServerError, {}],
  ] as const)("lets the client raise its own error for HTTP %i", async (status, kind, headers) => {
    const error = { message: "as told", type: "t", param: "p", code: "c" };
    const json = { "content-type": "application/json", ...headers };
    const { client } = await startProxy(() => ({ status, headers: json, text: JSON.stringify({ error }) }));
    for (const stream of [false, true]) {
      const thrown = await failureOf(client("/v1").chat.completions.create({ ...question("pear"), stream }));
      expect(thrown).toBeInstanceOf(kind);
      expect(thrown).toMatchObject({ status, error });
      for (const [name, value] of Object.entries(headers)) {
        expect((thrown as InstanceType<typeof OpenAI.APIError>).headers!.get(name)).toBe(value);
      }
    }
  });

  it("says with OpenAI's errors that the upstream is not there, or too slow", async () => {
    const { client } = await startProxy(({ body }) => (body.model === "gone" ? "refuse" : "hang"), { timeoutMs: 2000 });
    const ask = (model: string) => failureOf(client("/v1").chat.completions.create({ ...question("pear"), model }));
    expect(await ask("gone")).toMatchObject({ status: 502, type: "server_error", code: "infra" });
    expect(await ask("slow")).toMatchObject({ status: 504, message: expect.stringContaining("within 2 s") });
  });

  it("hands a cut answer on as a cut one, whole or streamed", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { client, url } = await startProxy(({ body }) =>
      body.stream ? { pieces: [events[0]!], headers: { "content-type": "text/event-stream" }, cut: true } : "cut",
    );
    await expect((async () => (await post(`${url}${path}`, "{}")).text())()).rejects.toThrow();
    const pieces: unknown[] = [];
    const stream = await client("/v1").chat.completions.create({ ...question("pear"), stream: true });
    const reading = (async () => {
      for await (const piece of stream) pieces.push(piece);
    })();
    await expect(reading).rejects.toThrow();
    expect(pieces).toHaveLength(1);
    const raw = new Connection(url);
    let bytes = "";
    raw.socket.on("data", (piece) => {
      bytes += piece;
    });
    raw.socket.write(bytesOf(path, '{"stream": true}'));
    await new Promise((resolve) => raw.socket.once("close", resolve));
    expect(bytes).toContain("Transfer-Encoding: chunked");
    expect(bytes.endsWith(`${events[0]!}\r\n`)).toBe(true); // without the zero-length chunk that ends a body
    expect(log.mock.calls.map(([error]) => (error as Error).stack)).toEqual(
      Array(3).fill("codescore: the upstream's answer ended early: terminated"),
    );
  });
});

describe("a stream", () => {
  it("comes chunk by chunk, as the upstream gives it", async () => {
    let next: () => void = () => {};
    const pieces = (async function* () {
      yield events[0]!;
      await new Promise<void>((resolve) => {
        next = resolve;
      });
      yield events[1]!;
    })();
    const { client } = await startProxy(() => ({ pieces, headers: { "content-type": "text/event-stream" } }));
    const stream = await client("/v1").chat.completions.create({ ...question("pear"), stream: true });
    const chunks = stream[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toMatchObject({ choices: [{ delta: { content: "a" } }] });
    next(); // the second piece was not sent before the first one was read
    expect((await chunks.next()).done).toBe(true);
  });

  it("is made no faster than it is read", async () => {
    let made = 0;
    const pieces = (async function* () {
      for (; made < 2000; made++) yield Buffer.alloc(65_536, "x");
    })();
    const { url } = await startProxy(() => ({ pieces, headers: { "content-type": "text/event-stream" } }));
    const deaf = new Connection(url);
    deaf.socket.pause();
    deaf.socket.write(bytesOf(path, "{}"));
    await expect.poll(() => made).toBeGreaterThan(0);
    await sleep(500);
    const before = made;
    await sleep(500);
    expect(made).toBe(before);
    expect(made).toBeLessThan(1000); // the rest is in socket buffers
    deaf.close();
  });

  it("ends at the upstream when the client goes away, without a word in the log", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const pieces = (async function* () {
      for (;;) {
        yield events[0]!;
        await sleep(10);
      }
    })();
    const { client, stub } = await startProxy(() => ({ pieces, headers: { "content-type": "text/event-stream" } }));
    const stream = await client("/v1").chat.completions.create({ ...question("pear"), stream: true });
    let read = 0;
    for await (const _ of stream) if (++read === 3) break; // the client aborts its request
    await expect.poll(() => stub.raw[0]!.aborted).toBe(true);
    expect(log).not.toHaveBeenCalled();
  });

  it("is given up when the upstream falls silent", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const pieces = (async function* () {
      yield events[0]!;
      await sleep(30_000, undefined, { ref: false });
    })();
    const { stub, url } = await startProxy(() => ({ pieces }), { timeoutMs: 2000 });
    const response = await post(`${url}${path}`, "{}");
    await expect(response.text()).rejects.toThrow();
    expect(String(log.mock.lastCall)).toContain("no data within 2000 ms");
    await expect.poll(() => stub.raw[0]!.aborted).toBe(true);
  });

  it("holds a stopping server until it is over, unless nobody reads it", async () => {
    const pieces = (async function* () {
      for (let i = 0; i < 20; i++) {
        yield events[0]!;
        await sleep(30);
      }
    })();
    const endless = (async function* () {
      for (;;) yield Buffer.alloc(65_536, "x");
    })();
    const { server, url } = await startProxy((_, i) => ({ pieces: i === 0 ? pieces : endless }));
    const response = await post(`${url}${path}`, "{}");
    const deaf = new Connection(url);
    deaf.socket.pause();
    deaf.socket.write(bytesOf(path, "{}"));
    await sleep(100);
    const closing = server.close();
    expect((await response.text()).length).toBe(20 * events[0]!.length);
    await closing;
    deaf.close();
  });
});
