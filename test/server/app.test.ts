import { createHash } from "node:crypto";
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
    expect(scorer.batches).toEqual([["", "0.5", "0.25"]]); // shortest first
  });

  it.each<[string, unknown, number, string]>([
    ["no JSON", "{", 400, "expected a JSON body"],
    ["an empty body", "", 400, "expected a JSON body"],
    ["an array", [], 400, "expected a JSON object, got an array"],
    ["null", "null", 400, "expected a JSON object, got null"],
    ["no rows", {}, 400, "expected `rows` to be an array, got nothing"],
    ["rows of another type", { rows: {} }, 400, "expected `rows` to be an array, got an object"],
    ["zero rows", { rows: [] }, 400, "expected at least one row"],
    ["too many rows", { rows: Array(4).fill({ candidate: "1" }) }, 400, "expected at most 3 rows per request, got 4"],
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

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "application/json; charset=utf-16"])(
    "refuses a body called %s, which pages of other origins could send unasked",
    async (type) => {
      const { app } = await start();
      const response = await post(app, "/v1/score", { rows: [{ candidate: "1" }] }, { "content-type": type });
      expect(response.status).toBe(415);
    },
  );

  it("says on request what each line does to the score, and takes few such rows", async () => {
    const { app } = await start({ maxExplained: 2 });
    const program = "def f(x):\n    y = x  # bug\n    return y + z\n";
    const response = await post(app, "/v1/score", {
      rows: [{ candidate: program, description: "d" }, { candidate: "" }],
      explain: true,
    });
    const { rows } = (await response.json()) as { rows: Record<string, unknown>[] };
    expect(rows[0]).toMatchObject({
      score: 0.75,
      findings: [{ line: 3, what: "`z` is not defined" }],
      lines: [
        { line: 2, text: "    y = x  # bug", effect: -0.25 },
        { line: 3, text: "    return y + z", effect: 0 },
      ],
    });
    expect(rows[1]).toMatchObject({ error: { code: "input" } });
    const many = await post(app, "/v1/score", { rows: Array(3).fill({ candidate: "1" }), explain: true });
    expect(many.status).toBe(400);
    expect(await many.text()).toContain("expected at most 2 rows per request with `explain`, got 3");
  });

  it("joins samples of one task with how far they agree, on request", async () => {
    const { app } = await start();
    const adds = "def f(a, b):\n    return a + b\n";
    const rows = [adds, "def f(a, b):\n    return b + a\n", "def f(a, b):\n    return a\n"].map((candidate) => ({
      candidate,
      description: "d",
    }));
    const others = [
      { candidate: adds, description: "d", task_id: 7 },
      { candidate: adds, reference: adds, description: "d" },
      { candidate: "" },
    ];
    const response = await post(app, "/v1/score", { rows: [...rows, ...others], consensus: true });
    const answers = ((await response.json()) as { rows: Record<string, number & string>[] }).rows;
    const own = (await (await post(app, "/v1/score", { rows: rows.slice(0, 1) })).json()) as {
      rows: [{ score: number }];
    };
    expect(answers[0]!.score).toBeCloseTo((own.rows[0].score + answers[0]!.consensus!) / 2, 9);
    expect(answers[0]!.consensus).toBeGreaterThan(answers[2]!.consensus!);
    expect(answers.map((answer) => answer.consensus !== undefined)).toEqual([true, true, true, false, false, false]);
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(answers[5]).toMatchObject({ error: { code: "input" } });
  });

  it("answers 429 with Retry-After when the queue is full, and goes on after that", async () => {
    const { app, scorer } = await start({ maxRows: 2, queueLimit: 3 });
    scorer.hold = true;
    const running = [score(app, { candidate: "0.1" })];
    await expect.poll(() => scorer.batches.length).toBe(1);
    running.push(score(app, { candidate: "0.1" }));
    await expect.poll(() => scorer.batches.length).toBe(2);
    running.push(score(app, { candidate: "0.2" }, { candidate: "0.3" }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const refused = await score(app, { candidate: "0.4" }, { candidate: "0.5" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ error: { code: "busy" } });
    scorer.release();
    for (const response of running) expect((await response).status).toBe(200);
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
    [{ candidate: "1" }, 400, "a similarity needs two programs"],
    [{ reference: "r" }, 400, "expected `candidate` to be a string, got nothing"],
    [{ reference: "r", candidate: "1", refrence: "r" }, 400, "unknown field `refrence`"],
    [{ reference: "r", candidate: "" }, 422, "expected a candidate program"],
    [{ reference: "r", candidate: "poison" }, 500, "scoring failed"],
  ])("answers %j with %i", async (body, status, message) => {
    const { app } = await start();
    const response = await post(app, "/v1/similarity", body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(message);
  });
});

describe("the other routes", () => {
  it("say that rows can be scored, and with which model, or why they cannot", async () => {
    const { app, scorer } = await start();
    expect(await (await app.request("/healthz")).json()).toEqual({ status: "ok", signature: "codescore|fake" });
    scorer.broken = new Error("no thread");
    const response = await app.request("/healthz");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: { code: "infra", message: "nothing can be scored: no thread" } });
  });

  it("answer what is not there with 404, and the wrong method with 405 and the right one", async () => {
    const { app } = await start();
    for (const [method, path, status, allow] of [
      ["GET", "/v1/nothing", 404, null],
      ["POST", "/v1/score/", 404, null],
      ["GET", "/v1/score", 405, "POST"],
      ["OPTIONS", "/v1/score", 405, "POST"],
      ["POST", "/healthz", 405, "GET, HEAD"],
      ["DELETE", "/", 405, "GET, HEAD"],
    ] as const) {
      const response = await app.request(path, { method });
      expect(response.status, path).toBe(status);
      expect(response.headers.get("allow")).toBe(allow);
      expect(await response.json()).toMatchObject({ error: { code: "usage" } });
    }
  });

  it("let no page of another origin in", async () => {
    const { app } = await start();
    for (const method of ["OPTIONS", "POST"]) {
      const response = await app.request("/v1/score", {
        method,
        headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
      });
      const allowed = [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect(allowed).toEqual([]);
    }
  });

  it("carry the request's id, or a new one where it has none that can be trusted", async () => {
    const { app } = await start();
    const idOf = async (id?: string) =>
      (await app.request("/healthz", { headers: id === undefined ? {} : { "x-request-id": id } })).headers.get(
        "x-request-id",
      );
    expect(await idOf("job-7")).toBe("job-7");
    const [one, other] = [await idOf(), await idOf()];
    expect(one).toMatch(/^[\da-f-]{36}$/);
    expect(other).not.toBe(one);
    for (const odd of ["a b", "<script>", "x".repeat(300)]) expect(await idOf(odd)).toMatch(/^[\da-f-]{36}$/);
  });

  it("have a page that loads nothing and is allowed nothing but its own script and style", async () => {
    const { app } = await start();
    const response = await app.request("/");
    const html = await response.text();
    expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:\/\/|@import|innerHTML|<script [^>]*src/,
    );
    const [shell, script] = [
      html.replace(/<script>[\s\S]*<\/script>/, ""),
      /<script>([\s\S]*)<\/script>/.exec(html)![1]!,
    ];
    expect(shell).not.toMatch(/\son\w+=|<script/);
    expect(shell.match(/<style\b[^>]*>/g)).toHaveLength(1);
    expect(script).not.toMatch(/<\/?script/i);
    expect(Buffer.byteLength(html)).toBeLessThan(600_000);
    const policy = response.headers.get("content-security-policy")!;
    expect(policy).toMatch(
      /default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}=' 'nonce-[\w+/]{22}=='; connect-src 'self'/,
    );
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    expect(shell).toContain(`<style nonce="${nonce}">`);
    expect((await app.request("/")).headers.get("content-security-policy")).not.toContain(nonce);
  });

  it("show the key's field on the page where the server wants a key", async () => {
    const pageOf = async (options: Partial<AppOptions>) => (await (await start(options)).app.request("/")).text();
    expect(await pageOf({})).toContain('id="key-field" data-key hidden>');
    expect(await pageOf({ apiKey: "key" })).toContain('id="key-field" data-key>');
  });

  it("say on the page how often intervals hold", async () => {
    const pageOf = async (options: Partial<AppOptions>) => (await (await start(options)).app.request("/")).text();
    expect(await pageOf({})).toContain('data-coverage="0.9"');
    expect(await pageOf({ coverage: 0.8 })).toContain('data-coverage="0.8"');
  });
});

describe("an app", () => {
  it.each<[Partial<AppOptions>, string]>([
    [{ maxRows: 0 }, "expected `maxRows` to be an integer of at least 1, got 0"],
    [{ rateLimit: 0.5 }, "expected `rateLimit` to be an integer of at least 1, got 0.5"],
    [{ maxRows: 10, queueLimit: 9 }, "expected `queueLimit` (9) to be at least `maxRows` (10)"],
  ])("refuses %j", async (options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});
