/** Requests that no client should send: each gets a clear error in JSON, and the server continues. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, type Listening, listen } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";
import { good, nested, requests, row, rows, score } from "./malformed-requests.ts";
import { Connection, exchange, request } from "./raw.ts";

const key = "s3cret";
let open: Listening;
let keyed: Listening;

beforeAll(async () => {
  const limits = { maxRows: 5, maxChars: 1000, maxExplained: 1, maxConsensus: 2 };
  open = await listen(await createApp({ scorer: fakeScorer(), localOnly: true, ...limits }), {
    port: 0,
    requestMs: 2000,
  });
  keyed = await listen(await createApp({ scorer: fakeScorer(), apiKey: key, ...limits }), { port: 0 });
});
afterAll(async () => {
  await open.close();
  await keyed.close();
});

const checkAlive = async (): Promise<void> => {
  const answer = await exchange(open.url, good);
  expect(answer!.status).toBe(200);
  expect(JSON.parse(answer!.body)).toMatchObject({ rows: [{ id: 0, score: 0.5 }] });
};

describe("a malformed request", () => {
  it.each(requests)("%s", async (_, bytes, status, message) => {
    const answer = await exchange(open.url, bytes);
    expect(answer).not.toBeNull();
    expect(answer!.status, answer!.body).toBe(status);
    expect(answer!.headers.get("content-type")).toBe("application/json");
    const { error, ...rest } = JSON.parse(answer!.body) as { error: { code: string; message: string } };
    expect(rest).toEqual({});
    expect(Object.keys(error)).toEqual(["code", "message"]);
    expect(error.message).toContain(message);
    await checkAlive();
  });

  it("has many forms", () => {
    expect(requests.length).toBeGreaterThanOrEqual(60);
  });
});

describe("a wrong key", () => {
  it.each<[string, Record<string, string>]>([
    ["none", {}],
    ["empty", { Authorization: "" }],
    ["another", { Authorization: "Bearer forged" }],
    ["in another scheme", { Authorization: `Basic ${key}` }],
    ["with a NUL's escape", { Authorization: `Bearer ${key}%00` }],
    ["of 8 KB", { Authorization: `Bearer ${"x".repeat(8000)}` }],
    ["in the query's place", { "X-Authorization": `Bearer ${key}` }],
  ])("%s", async (_, headers) => {
    const answer = await exchange(keyed.url, score({ rows: [row] }, headers));
    expect(answer!.status).toBe(401);
    expect(JSON.parse(answer!.body)).toMatchObject({ error: { code: "key" } });
    const right = await exchange(keyed.url, score({ rows: [row] }, { Authorization: `Bearer ${key}` }));
    expect(right!.status).toBe(200);
  });
});

describe("a malformed row", () => {
  const surrogate = '{"candidate": "0.5", "id": "\\ud800"}';
  it.each<[string, string | object | null, string]>([
    ["null", null, "expected a row to be an object, got null"],
    ["a string", '"x"', "expected a row to be an object, got a string"],
    ["an array", [row], "expected a row to be an object, got an array"],
    ["an empty object", {}, "expected `candidate` to be a string, got nothing"],
    ["a candidate that is null", { candidate: null }, "expected `candidate` to be a string, got null"],
    ["a candidate that is a number", { candidate: 1e308 }, "expected `candidate` to be a string, got a number"],
    ["a candidate in lines", { candidate: ["a", "b"] }, "expected `candidate` to be a string, got an array"],
    ["an empty candidate", { candidate: "" }, "expected a candidate program"],
    ["a reference that is a number", { ...row, reference: 1 }, "expected `reference` to be a string, got a number"],
    ["a reference that is false", { ...row, reference: false }, "expected `reference` to be a string, got a boolean"],
    ["a description that is an object", { ...row, description: {} }, "expected `description` to be a string"],
    ["too long a candidate", { candidate: "x".repeat(1001) }, "`candidate` to have at most 1000 characters"],
    ["too long a description", { ...row, description: "x".repeat(1001) }, "`description` to have at most 1000"],
    ["an id that is an object", { ...row, id: {} }, "expected `id` to be a string or a number, got an object"],
    ["an id that is true", { ...row, id: true }, "expected `id` to be a string or a number, got a boolean"],
    ["an id beyond all numbers", '{"candidate": "0.5", "id": 1e999}', "send larger ones as strings"],
    ["an id that JSON would change", '{"candidate": "0.5", "id": 12345678901234567890}', "send larger ones as strings"],
    ["a misspelt field", { ...row, refrence: "x" }, "unknown field `refrence`"],
    ["a misspelt task_id", { ...row, taskid: "x" }, "`language`, `id`, `task_id`, `entry_point`"],
    ["a field named __proto__", '{"candidate": "0.5", "__proto__": {"reference": "r"}}', "unknown field `__proto__`"],
    ["fields of the prototype alone", '{"__proto__": {"candidate": "0.5"}}', "unknown field `__proto__`"],
    ["a nested abyss", `{"candidate": ${nested(10_000)}}`, "expected `candidate` to be a string, got an array"],
    ["one that breaks the scorer", { candidate: "poison" }, "scoring failed"],
  ])("%s has its error in its place, and the rest is scored", async (_, odd, message) => {
    const text = typeof odd === "string" ? odd : JSON.stringify(odd);
    const answer = await exchange(
      open.url,
      score(`{"rows": [${JSON.stringify(row)}, ${text}, ${JSON.stringify(row)}]}`),
    );
    expect(answer!.status).toBe(200);
    const results = (JSON.parse(answer!.body) as { rows: { error?: { code: string; message: string } }[] }).rows;
    expect(results).toHaveLength(3);
    expect(results[1]!.error!.message).toContain(message);
    expect(results[1]).not.toHaveProperty("score");
    for (const at of [0, 2]) expect(results[at]).toMatchObject({ id: at, score: 0.5 });
  });

  it("keeps odd ids as they came, and of a name given twice the second, as JSON.parse does", async () => {
    const twice = '{"candidate": "0.25", "candidate": "0.5"}';
    const odd = await exchange(
      open.url,
      score(`{"rows": [${surrogate}, ${twice}, {"candidate": "1", "id": "__proto__"}]}`),
    );
    expect(JSON.parse(odd!.body)).toMatchObject({
      rows: [
        { id: "\ud800", score: 0.5 },
        { id: 1, score: 0.5 },
        { id: "__proto__", score: 1 },
      ],
    });
  });
});

describe("a client that takes its time", () => {
  it("with the headers or the body is told so, and holds nobody", async () => {
    for (const begun of ["POST /v1/sc", "POST /v1/score HTTP/1.1\r\nHost: local", good.subarray(0, -5)]) {
      const slow = new Connection(open.url);
      slow.socket.write(begun);
      await checkAlive();
      const answer = await slow.answer();
      expect(answer!.status).toBe(408);
      expect(JSON.parse(answer!.body)).toMatchObject({ error: { code: "usage" } });
      slow.close();
    }
  });

  it("a byte at a time is answered when it is done in time", async () => {
    const slow = new Connection(open.url);
    for (let at = 0; at < good.length; at += 40) {
      slow.socket.write(good.subarray(at, at + 40));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await slow.answer())!.status).toBe(200);
    slow.close();
  });

  it("or that leaves in the middle holds nobody", async () => {
    for (const length of [3, 40, good.length - 5, good.length]) {
      const leaving = new Connection(open.url);
      leaving.socket.write(good.subarray(0, length));
      await new Promise((resolve) => setTimeout(resolve, 5));
      leaving.socket.resetAndDestroy();
    }
    await checkAlive();
  });
});

describe("several requests on one connection", () => {
  it("are answered in order, wrong ones among them", async () => {
    const connection = new Connection(open.url);
    connection.socket.write(Buffer.concat([good, score("{"), rows({ candidate: "0.25" }), request("/nowhere"), good]));
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await connection.answer())!.status);
    expect(statuses).toEqual([200, 400, 200, 404, 200]);
    connection.close();
  });

  it("are answered before the noise that follows them", async () => {
    const connection = new Connection(open.url);
    connection.socket.write(Buffer.concat([good, good, Buffer.from("noise\r\n\r\n")]));
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await connection.answer())?.status);
    expect(statuses).toEqual([200, 200, 400, undefined]);
  });

  it("stay apart: what a wrong length leaves over is no request", async () => {
    const connection = new Connection(open.url);
    connection.socket.write(score({ rows: [row] }, { "Content-Length": "5" }));
    expect((await connection.answer())!.status).toBe(400); // five bytes of JSON
    expect((await connection.answer())!.status).toBe(400); // the rest is not HTTP
    expect(await connection.answer()).toBeNull();
    await checkAlive();
  });
});
