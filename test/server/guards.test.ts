import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { clientOf, isLoopback, RateLimit } from "../../src/server/guards.ts";
import { type AppOptions, createApp, listen } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";

const start = (options: Partial<AppOptions>) => createApp({ scorer: fakeScorer(), ...options });

const post = (app: Hono, path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("the key", () => {
  const key = "s3cret-Key_1";

  it.each<[string, Record<string, string>, number]>([
    ["the right key", { authorization: `Bearer ${key}` }, 200],
    ["the scheme in other letters", { authorization: `bearer  ${key}` }, 200],
    ["no key", {}, 401],
    ["an empty key", { authorization: "Bearer " }, 401],
    ["another key", { authorization: "Bearer s3cret-Key_2" }, 401],
    ["the beginning of the key", { authorization: "Bearer s3cret" }, 401],
    ["the key and more", { authorization: `Bearer ${key}1` }, 401],
    ["a very long key", { authorization: `Bearer ${key.repeat(500)}` }, 401],
    ["the key twice", { authorization: `Bearer ${key}, Bearer ${key}` }, 401],
    ["another scheme", { authorization: `Basic ${key}` }, 401],
    ["no scheme", { authorization: key }, 401],
    ["the key elsewhere", { "x-api-key": key }, 401],
  ])("%s", async (_, headers, status) => {
    const app = await start({ apiKey: key });
    for (const response of [
      await post(app, "/v1/score", { rows: [{ candidate: "1" }] }, headers),
      await post(app, "/v1/similarity", { reference: "r", candidate: "1" }, headers),
      await app.request("/metrics", { headers }),
    ]) {
      expect(response.status).toBe(status);
      if (status === 200) continue;
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { code: "key" } });
      expect(text).not.toContain(key);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
    }
    for (const open of ["/", "/healthz", "/openapi.json"]) expect((await app.request(open)).status).toBe(200);
  });

  it.each(["", "two words", "schl\u00fcssel"])("cannot be %j, which no header could carry", async (apiKey) => {
    await expect(start({ apiKey })).rejects.toThrow("expected a key of letters");
  });
});

describe("a server for this machine only", () => {
  it.each<[string, number]>([
    ["localhost:8080", 200],
    ["127.0.0.1", 200],
    ["127.9.9.9:80", 200],
    ["[::1]:8080", 200],
    ["elsewhere.example", 403],
    ["localhost.elsewhere.example", 403],
    ["127.0.0.1.elsewhere.example:8080", 403],
    ["192.168.0.7", 403],
  ])("asked as %s answers %i, lest another name be pointed at it", async (name, status) => {
    const app = await start({ localOnly: true });
    for (const path of ["/", "/healthz", "/v1/score"]) {
      const response = await app.request(`http://${name}${path}`, {
        method: path === "/v1/score" ? "POST" : "GET",
        ...(path === "/v1/score"
          ? { body: '{"rows":[{"candidate":"1"}]}', headers: { "content-type": "application/json" } }
          : {}),
      });
      expect(response.status).toBe(status);
    }
  });

  it.each<[string, boolean]>([
    ["127.0.0.1", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["::", false],
    ["10.0.0.1", false],
    ["127.0.0.1.example", false],
  ])("%s: %s", (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe("the rate of a client", () => {
  it("is a minute's worth at once, then what has filled up since", () => {
    const limit = new RateLimit(60);
    let now = 0;
    expect(limit.take("a", 60, now)).toBe(0);
    expect(limit.take("a", 1, now)).toBe(1);
    expect(limit.take("b", 1, now)).toBe(0);
    now += 500;
    expect(limit.take("a", 1, now)).toBe(0.5);
    now += 500;
    expect(limit.take("a", 1, now)).toBe(0);
    expect(limit.take("a", 30, now)).toBe(30); // and no row is taken
    now += 3_600_000; // the bucket holds at most one minute's worth
    expect(limit.take("a", 61, now)).toBe(1);
    expect(limit.take("a", 60, now)).toBe(0);
    limit.giveBack("a", 10, now);
    expect(limit.take("a", 11, now)).toBe(1);
    expect(limit.take("a", 10, now)).toBe(0);
  });

  it("remembers so many clients and no more", () => {
    const limit = new RateLimit(1);
    for (let i = 0; i < 20_000; i++) limit.take(String(i), 1, 0);
    expect(limit.take("0", 1, 0)).toBe(0);
    expect(limit.take("19999", 1, 0)).toBe(60);
  });

  const rows = (app: Hono, count: number, given = "key") =>
    post(app, "/v1/score", { rows: Array(count).fill({ candidate: "1" }) }, { authorization: `Bearer ${given}` });

  it("answers 429 with Retry-After beyond it, counts rows, and takes wrong requests and keys for rows", async () => {
    const app = await start({ rateLimit: 10, apiKey: "key" });
    expect((await rows(app, 5)).status).toBe(200);
    expect((await rows(app, 0)).status).toBe(400);
    expect((await rows(app, 1, "kex")).status).toBe(401);
    const refused = await rows(app, 4);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^[56]$/); // one row too many, at 10 per minute
    expect(await refused.json()).toMatchObject({ error: { code: "busy" } });
    expect((await rows(app, 3)).status).toBe(200); // the refused request cost nothing
    expect((await rows(app, 1)).status).toBe(429);
    expect((await app.request("/healthz")).status).toBe(200);
  });

  it("holds for requests that come together", async () => {
    const app = await start({ rateLimit: 20, apiKey: "key" });
    const large = await Promise.all(Array.from({ length: 8 }, () => rows(app, 10)));
    expect(large.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(429)]);
    expect((await rows(app, 10)).status).toBe(200); // none of them leaves a debt
    const guesses = await Promise.all(Array.from({ length: 40 }, () => rows(app, 1, "kex")));
    expect(guesses.every(({ status }) => status === 429)).toBe(true);
  });

  it("says a limit of one row as one row", async () => {
    const many = await rows(await start({ rateLimit: 1 }), 2);
    expect(await many.json()).toMatchObject({
      error: { message: expect.stringContaining("at most 1 row per minute") },
    });
  });

  it("says how much a request may cost, which is a row for each line that it explains", async () => {
    const app = await start({ rateLimit: 20 });
    const many = await rows(app, 21);
    expect(many.status).toBe(400);
    expect(await many.json()).toMatchObject({
      error: { message: "expected at most 20 rows per minute, got a request that counts as 21; split the request" },
    });
    const explained = (candidate: string) =>
      post(app, "/v1/score", { rows: [{ candidate, reference: "x = 1" }], explain: true });
    expect((await explained("x = 1\n".repeat(30))).status).toBe(400);
    expect((await explained("x = 1\n".repeat(12))).status).toBe(200);
    expect((await explained("x = 1\n".repeat(12))).status).toBe(429);
  });

  it("is that of an address, by /64 for IPv6", async () => {
    const seen: string[] = [];
    const app = new Hono().get("/", (c) => c.text(clientOf(c)));
    const server = await listen(app, { port: 0 });
    seen.push(await (await fetch(server.url)).text());
    await server.close();
    const of = async (address: string) =>
      (await app.request("/", {}, { incoming: { socket: { remoteAddress: address } } })).text();
    expect(seen).toEqual(["127.0.0.1"]);
    expect(await of("::ffff:10.0.0.7")).toBe("10.0.0.7");
    expect(await of("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
    expect(await of("2001:db8:1:2:aaaa::1")).toBe(await of("2001:db8:1:2:3:4:5:6"));
    expect(await of("2001:db8::7")).toBe("2001:db8:0:0");
    expect(await of("::1")).toBe("0:0:0:0");
    expect(await of("2001:db8:1:3::1")).not.toBe(await of("2001:db8:1:2::1"));
  });
});
