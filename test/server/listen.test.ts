import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { createApp, listen } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";
import { request as bytesOf, Connection } from "./raw.ts";

const asBytes = (...candidates: string[]): Buffer =>
  bytesOf("/v1/score", JSON.stringify({ rows: candidates.map((candidate) => ({ candidate })) }));

/** POSTs over a kept-alive connection. */
const post = (url: string, agent: Agent, candidate: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${url}/v1/score`,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify({ rows: [{ candidate }] }));
  });

describe("a server that is told to stop", () => {
  it("answers what it accepted, over kept-alive connections too, and takes no more", async () => {
    const scorer = fakeScorer();
    const server = await listen(await createApp({ scorer }), { port: 0 });
    const agent = new Agent({ keepAlive: true });
    expect((await post(server.url, agent, "0.1")).status).toBe(200);
    scorer.hold = true;
    const running = post(server.url, agent, "0.2");
    await expect.poll(() => scorer.batches.length).toBe(2);
    const pipeline = new Connection(server.url);
    pipeline.socket.write(Buffer.concat([asBytes("0.3"), asBytes("0.4")]));
    await expect.poll(() => scorer.batches.length).toBe(3);
    const waiting = post(server.url, agent, "0.5");
    const idle = new Connection(server.url);
    await new Promise((resolve) => setTimeout(resolve, 50));
    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(closed).toBe(false);
    expect(await idle.answer()).toBeNull();
    await expect(post(server.url, new Agent(), "0.6")).rejects.toThrow("ECONNREFUSED");
    scorer.release();
    for (const answer of [await running, await waiting]) {
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ rows: [{ exec: 0.75 }] });
    }
    for (const expected of [0.3, 0.4]) {
      expect(JSON.parse((await pipeline.answer())!.body)).toMatchObject({ rows: [{ score: expected }] });
    }
    expect(await pipeline.answer()).toBeNull();
    await closing;
    agent.destroy();
  });

  it("answers what has come on two hundred connections and is not read yet, one request or several", async () => {
    const server = await listen(await createApp({ scorer: fakeScorer() }), { port: 0 });
    const connections = Array.from({ length: 200 }, () => new Connection(server.url));
    for (const connection of connections) {
      connection.socket.write(asBytes("0.1"));
      expect((await connection.answer())?.status).toBe(200); // now they are idle
    }
    const warnings: string[] = [];
    process.on("warning", ({ message }) => warnings.push(message));
    const several = Buffer.concat([asBytes("0.1"), asBytes("0.1"), asBytes("0.1")]);
    for (const [i, { socket }] of connections.entries()) socket.write(i % 2 === 0 ? asBytes("0.1") : several);
    const closing = server.close();
    for (const [i, connection] of connections.entries()) {
      for (let n = 0; n < (i % 2 === 0 ? 1 : 3); n++)
        expect((await connection.answer())?.status, `${i} ${n}`).toBe(200);
    }
    expect(await closing).toEqual({ unfinished: 0, unread: 0 });
    expect(warnings).toEqual([]);
  });

  it("does not wait for clients that stop sending or reading", async () => {
    const scorer = fakeScorer();
    const server = await listen(await createApp({ scorer }), { port: 0, graceMs: 100 });
    const half = new Connection(server.url);
    half.socket.write(asBytes("0.1").subarray(0, -4));
    const nothing = new Connection(server.url);
    nothing.socket.write("POST ");
    scorer.hold = true;
    const slow = new Connection(server.url);
    slow.socket.write(asBytes("0.2"));
    await expect.poll(() => scorer.batches.length).toBe(1);
    const closing = server.close();
    expect(await half.answer()).toBeNull();
    expect(await nothing.answer()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 300)); // scoring in progress may take longer than the grace period
    scorer.release();
    expect((await slow.answer())!.status).toBe(200);
    expect(await closing).toEqual({ unfinished: 1, unread: 0 });
  });

  it("does not wait for an answer that nobody reads", async () => {
    const server = await listen(await createApp({ scorer: fakeScorer() }), { port: 0, graceMs: 100 });
    const deaf = new Connection(server.url);
    deaf.socket.pause();
    const page = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"; // two thousand exceed the buffers of a socket
    deaf.socket.write(page.repeat(2000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await server.close()).unread).toBeGreaterThan(0);
    deaf.close();
  });
});

describe("a client that goes away", () => {
  it("takes its waiting rows with it", async () => {
    const scorer = fakeScorer();
    const server = await listen(await createApp({ scorer, batchRows: 1 }), { port: 0 });
    scorer.hold = true;
    const leaving = new Connection(server.url);
    leaving.socket.write(asBytes("0.1", "0.1", "0.1", "0.1", "0.1"));
    await expect.poll(() => scorer.batches.length).toBe(2);
    const staying = post(server.url, new Agent(), "0.2");
    leaving.close();
    const rows = async () => /codescore_queue_rows (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())![1];
    await expect.poll(rows).toBe("1");
    scorer.release();
    expect((await staying).status).toBe(200);
    expect(scorer.batches).toEqual([["0.1"], ["0.1"], ["0.2"]]);
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toContain('codescore_requests_total{route="/v1/score",status="499"} 1');
    await server.close();
  });
});

describe("a server", () => {
  it("says that a port is taken", async () => {
    const app = await createApp({ scorer: fakeScorer() });
    const first = await listen(app, { port: 0 });
    const port = Number(new URL(first.url).port);
    await expect(listen(app, { port })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: the port is in use`);
    await first.close();
  });
});
