import { describe, expect, it, onTestFinished } from "vitest";
import { createApp, listen } from "../../src/server/index.ts";
import { fakeScorer } from "./fake.ts";
import { Connection, request } from "./raw.ts";

async function start(maxBodiesBytes: number) {
  const scorer = fakeScorer();
  const server = await listen(await createApp({ scorer, maxBodyBytes: 300_000, maxBodiesBytes }), { port: 0 });
  onTestFinished(() => void server.close());
  return { scorer, url: server.url };
}

/** A request whose body has this length. */
const ofLength = (bytes: number): Buffer => {
  const row = { candidate: "0.5", description: "d" };
  const rest = bytes - JSON.stringify({ rows: [row] }).length;
  return request("/v1/score", JSON.stringify({ rows: [{ ...row, description: `d${"d".repeat(rest)}` }] }));
};

/** Sends all except the end of a body. */
function half(url: string, bytes: number): Connection {
  const connection = new Connection(url);
  connection.socket.write(ofLength(bytes).subarray(0, -100));
  return connection;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

describe("the bodies of all requests together", () => {
  it.each([
    ["long", 90_000],
    ["short", 40_000],
  ])("have room for so much: of %s ones that do not come whole the oldest give way", async (_, bytes) => {
    const { url } = await start(1_000_000);
    const halves: Connection[] = [];
    for (let i = 0; i < 60; i++) {
      halves.push(half(url, bytes));
      await pause();
    }
    const room = Math.floor(1_000_000 / bytes);
    const [gone, here] = [halves.slice(0, 60 - room - 1), halves.slice(60 - room + 1)];
    for (const one of gone) {
      const answer = await one.answer();
      expect(answer!.status).toBe(429);
      expect(answer!.headers.get("retry-after")).toBe("5");
      expect(answer!.body).toContain("expected at most 1000000 bytes in the bodies of all requests together");
      expect(await one.answer()).toBeNull(); // and the rest of its body is not read
    }
    const whole = new Connection(url);
    whole.socket.write(ofLength(bytes));
    expect((await whole.answer())!.status).toBe(200);
    for (const one of here.slice(2)) one.socket.write(ofLength(bytes).subarray(-100));
    for (const one of here.slice(2)) expect((await one.answer())!.status).toBe(200);
  });

  it("count until they are answered", async () => {
    const { scorer, url } = await start(300_000);
    scorer.hold = true;
    const held = new Connection(url);
    held.socket.write(ofLength(80_000));
    const also = new Connection(url);
    also.socket.write(ofLength(80_000));
    const third = new Connection(url);
    third.socket.write(ofLength(80_000));
    await expect.poll(() => scorer.batches.length).toBeGreaterThanOrEqual(2);
    await pause();
    const refused = new Connection(url);
    refused.socket.write(ofLength(80_000));
    expect((await refused.answer())!.status).toBe(429);
    scorer.release();
    for (const one of [held, also, third]) expect((await one.answer())!.status).toBe(200);
    const after = new Connection(url);
    after.socket.write(ofLength(80_000));
    expect((await after.answer())!.status).toBe(200);
  });

  it("are at least one", async () => {
    const limits = { scorer: fakeScorer(), maxBodyBytes: 200, maxBodiesBytes: 100 };
    await expect(createApp(limits)).rejects.toThrow(
      "expected `maxBodiesBytes` (100) to be at least `maxBodyBytes` (200)",
    );
  });
});
