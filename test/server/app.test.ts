import type { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { type AppOptions, createApp } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";

const start = async (options: Partial<AppOptions> = {}) => {
  const scorer = fakeScorer();
  return { scorer, app: await createApp({ scorer, ...options }) };
};

const post = (app: Hono, path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const score = (app: Hono, ...rows: unknown[]) => post(app, "/v1/score", { rows });

describe("POST /v1/score", () => {
  it("answers rows in order, with ids given or counted, and errors in their places", async () => {
    const { app, scorer } = await start();
    const response = await score(
      app,
      { id: "a", candidate: "0.25", reference: "r", description: "d" },
      { candidate: 3 },
      { id: 7, candidate: "0.5", description: "d" },
      "no row",
      { id: { x: 1 }, candidate: "1" },
      { candidate: "" },
      { candidate: "1", reference: ["r"] },
      { id: null, candidate: "1", reference: null, description: 1 },
    );
    expect(response.status).toBe(200);
    const error = (id: unknown, message: string) => ({ id, error: { code: "input", message } });
    expect(await response.json()).toEqual({
      rows: [
        { id: "a", score: 0.25, exec: 0.75, format: "ref+nl", signature: "codescore|fake" },
        error(1, "expected `candidate` to be a string, got a number"),
        { id: 7, score: 0.5, exec: 0.75, format: "nl", signature: "codescore|fake" },
        error(3, "expected a row to be an object, got a string"),
        error(4, "expected `id` to be a string or a number, got an object"),
        error(5, "expected a candidate program, got <b>nothing</b>"),
        error(6, "expected `reference` to be a string, got an array"),
        error(7, "expected `description` to be a string, got a number"),
      ],
    });
    expect(scorer.batches).toEqual([["0.25", "0.5", ""]]);
  });

  it.each<[string, unknown, number, string]>([
    ["no JSON", "{", 400, "expected a JSON body"],
    ["an empty body", "", 400, "expected a JSON body"],
    ["an array", [], 400, "expected a JSON object, got an array"],
    ["null", "null", 400, "expected a JSON object, got null"],
    ["no rows", {}, 400, "expected `rows` to be an array, got nothing"],
    ["rows of another type", { rows: {} }, 400, "expected `rows` to be an array, got an object"],
    ["zero rows", { rows: [] }, 400, "expected at least one row"],
    ["too many rows", { rows: Array(4).fill({ candidate: "1" }) }, 400, "expected at most 3 rows a request, got 4"],
    ["a large body", { rows: [{ candidate: "x".repeat(600) }] }, 413, "expected a body of at most 500 bytes"],
  ])("refuses %s", async (_, body, status, message) => {
    const { app, scorer } = await start({ maxRows: 3, maxBodyBytes: 500 });
    const response = await post(app, "/v1/score", body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe("input");
    expect(error.message).toContain(message);
    expect(scorer.batches).toEqual([]);
  });

  it("measures a body that does not say how long it is", async () => {
    const { app } = await start({ maxBodyBytes: 500 });
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 10; i++) controller.enqueue(new TextEncoder().encode(" ".repeat(100)));
        controller.close();
      },
    });
    const request = new Request("http://localhost/v1/score", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);
    expect((await app.request(request)).status).toBe(413);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "refuses a body called %s, which pages of other origins could send unasked",
    async (type) => {
      const { app } = await start();
      const response = await post(app, "/v1/score", { rows: [{ candidate: "1" }] }, { "content-type": type });
      expect(response.status).toBe(415);
    },
  );

  it("scores together what comes in while the scorer is busy, and answers each request with its own", async () => {
    const { app, scorer } = await start();
    scorer.hold = true;
    const first = score(app, { candidate: "0.1" });
    await expect.poll(() => scorer.batches.length).toBe(1);
    const others = ["0.2", "0.3", "0.4"].map((candidate) => score(app, { candidate }, { candidate: "1" }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(scorer.batches).toEqual([["0.1"]]);
    scorer.release();
    const scores = await Promise.all(
      [first, ...others].map(async (response) => {
        const { rows } = (await (await response).json()) as { rows: { score: number }[] };
        return rows.map((row) => row.score);
      }),
    );
    expect(scores).toEqual([[0.1], [0.2, 1], [0.3, 1], [0.4, 1]]);
    expect(scorer.batches).toEqual([["0.1"], ["0.2", "1", "0.3", "1", "0.4", "1"]]);
  });

  it("splits what does not fit into one batch", async () => {
    const { app, scorer } = await start({ batchRows: 2 });
    const response = await score(app, ...[0.1, 0.2, 0.3, 0.4, 0.5].map((n) => ({ candidate: String(n) })));
    const { rows } = (await response.json()) as { rows: { score: number }[] };
    expect(rows.map((row) => row.score)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(scorer.batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
  });

  it("answers 429 with Retry-After when the queue is full, and goes on after that", async () => {
    const { app, scorer } = await start({ maxRows: 2, queueLimit: 3 });
    scorer.hold = true;
    const running = score(app, { candidate: "0.1" });
    await expect.poll(() => scorer.batches.length).toBe(1);
    const waiting = score(app, { candidate: "0.2" }, { candidate: "0.3" });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const refused = await score(app, { candidate: "0.4" }, { candidate: "0.5" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ error: { code: "busy" } });
    scorer.release();
    expect([(await running).status, (await waiting).status]).toEqual([200, 200]);
    expect((await score(app, { candidate: "0.4" }, { candidate: "0.5" })).status).toBe(200);
  });

  it("keeps one row that breaks the scorer from taking the others with it", async () => {
    const { app } = await start();
    const response = await score(app, { candidate: "0.1" }, { candidate: "poison" }, { candidate: "0.2" });
    expect(await response.json()).toMatchObject({
      rows: [{ score: 0.1 }, { error: { code: "infra", message: "scoring failed: the session died" } }, { score: 0.2 }],
    });
  });
});

describe("POST /v1/similarity", () => {
  it("is the score of a candidate against a reference", async () => {
    const { app } = await start();
    const response = await post(app, "/v1/similarity", { reference: "r", candidate: "0.5", description: null });
    expect(await response.json()).toEqual({ similarity: 0.5, signature: "codescore|fake" });
  });

  it.each<[object, number, string]>([
    [{ candidate: "1" }, 400, "a similarity is to something"],
    [{ reference: "r" }, 400, "expected `candidate` to be a string, got nothing"],
    [{ reference: "r", candidate: "" }, 422, "expected a candidate program"],
    [{ reference: "r", candidate: "poison" }, 500, "scoring failed"],
  ])("answers %j with %i", async (body, status, message) => {
    const { app } = await start();
    const response = await post(app, "/v1/similarity", body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(message);
  });
});

describe("the key", () => {
  const key = "s3cret-Key_1";

  it.each<[string, Record<string, string>, number]>([
    ["the right key", { authorization: `Bearer ${key}` }, 200],
    ["no key", {}, 401],
    ["another key", { authorization: "Bearer s3cret-Key_2" }, 401],
    ["the beginning of the key", { authorization: "Bearer s3cret" }, 401],
    ["another scheme", { authorization: `Basic ${key}` }, 400],
  ])("%s", async (_, headers, status) => {
    const { app } = await start({ apiKey: key });
    for (const response of [
      await post(app, "/v1/score", { rows: [{ candidate: "1" }] }, headers),
      await post(app, "/v1/similarity", { reference: "r", candidate: "1" }, headers),
      await app.request("/metrics", { headers }),
    ]) {
      expect(response.status).toBe(status);
      if (status !== 200) {
        expect(await response.json()).toMatchObject({ error: { code: "usage" } });
        expect(response.headers.get("www-authenticate")).toContain("Bearer");
      }
    }
    for (const open of ["/", "/healthz", "/openapi.json"]) expect((await app.request(open)).status).toBe(200);
  });

  it.each(["", "two words", "schl\u00fcssel"])("refuses the key %j, which no header could carry", async (apiKey) => {
    await expect(start({ apiKey })).rejects.toThrow("expected a key of letters");
  });
});

describe("the other routes", () => {
  it("say that the server runs, and with which model", async () => {
    const { app } = await start();
    expect(await (await app.request("/healthz")).json()).toEqual({ status: "ok", signature: "codescore|fake" });
  });

  it("count requests, rows and errors for Prometheus", async () => {
    const { app } = await start();
    await score(app, { candidate: "1" }, { candidate: 2 }, { candidate: "poison" });
    await post(app, "/v1/score", "{");
    await app.request("/nowhere/else");
    const text = await (await app.request("/metrics")).text();
    for (const line of [
      'codescore_requests_total{route="/v1/score",status="200"} 1',
      'codescore_requests_total{route="/v1/score",status="400"} 1',
      'codescore_requests_total{route="other",status="404"} 1',
      "codescore_rows_total 3",
      'codescore_row_errors_total{code="input"} 1',
      'codescore_row_errors_total{code="infra"} 1',
      "codescore_queue_rows 0",
      'codescore_request_duration_seconds_bucket{route="/v1/score",le="10"} 2',
      'codescore_request_duration_seconds_bucket{route="/v1/score",le="+Inf"} 2',
      'codescore_request_duration_seconds_count{route="/v1/score"} 2',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(text).not.toContain("nowhere");
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) codescore_\w+ .+|codescore_\w+(\{[^{}]*\})? [0-9.e+-]+)$/);
    }
  });

  it("describe themselves: the document has every route, and the server every path of the document", async () => {
    const { app } = await start();
    const document = (await (await app.request("/openapi.json")).json()) as { paths: Record<string, object> };
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...new Set(served)].sort());
    const refs = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g)!;
    for (const ref of new Set(refs)) {
      expect(document).toHaveProperty(ref.slice(2).replaceAll("/", "."));
    }
  });

  it("answer what is not there with 404 in JSON", async () => {
    const { app } = await start();
    for (const response of [await app.request("/v1/nothing"), await app.request("/v1/score")]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: "usage" } });
    }
  });

  it("have a page that loads nothing and is allowed nothing but its own script and style", async () => {
    const { app } = await start();
    const response = await app.request("/");
    const html = await response.text();
    expect(html).not.toMatch(/https?:\/\/|@import|<script [^>]*src|innerHTML|\son\w+=/);
    expect(html.match(/<(script|style)\b/g)).toEqual(["<style", "<script"]);
    const policy = response.headers.get("content-security-policy")!;
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='/);
  });
});

describe("an app", () => {
  it.each<[Partial<AppOptions>, string]>([
    [{ maxRows: 0 }, "expected `maxRows` to be an integer of at least 1, got 0"],
    [{ maxRows: 10, queueLimit: 9 }, "expected `queueLimit` (9) to be at least `maxRows` (10)"],
  ])("refuses %j", async (options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});
