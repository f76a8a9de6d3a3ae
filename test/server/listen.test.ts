import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { createApp, listen } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";

/** POSTs over a connection that stays open. */
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
    const waiting = post(server.url, agent, "0.3");
    await new Promise((resolve) => setTimeout(resolve, 50));
    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(closed).toBe(false);
    await expect(post(server.url, new Agent(), "0.4")).rejects.toThrow("ECONNREFUSED");
    scorer.release();
    for (const answer of [await running, await waiting]) {
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ rows: [{ exec: 0.75 }] });
    }
    await closing;
    agent.destroy();
  });

  it("says that a port is taken", async () => {
    const app = await createApp({ scorer: fakeScorer() });
    const first = await listen(app, { port: 0 });
    const port = Number(new URL(first.url).port);
    await expect(listen(app, { port })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: the port is taken`);
    await first.close();
  });
});
