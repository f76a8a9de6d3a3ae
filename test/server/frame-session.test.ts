/** Sessions over in-memory pipes, with test methods. */
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CodescoreError } from "../../src/errors.ts";
import { type Method, serveFrames } from "../../src/server/frame-session.ts";
import { linesOf } from "../../src/util/lines.ts";

const echo: Method = async ({ rows, put }) => {
  let count = 0;
  for await (const row of rows) {
    await put({ row });
    count += 1;
  }
  return { count };
};

/** Waits until its client gives up. */
const forever: Method = async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  throw new CodescoreError("infra", "given up");
};

function open(methods: Readonly<Record<string, Method>>, signal?: AbortSignal) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = serveFrames({ input, output, methods, ...(signal && { signal }) });
  done.finally(() => output.end()).catch(() => {});
  const send = (...frames: unknown[]): void => {
    for (const frame of frames) input.write(`${typeof frame === "string" ? frame : JSON.stringify(frame)}\n`);
  };
  /** All answers until the session ends. */
  const answers = async (): Promise<Record<string, unknown>[]> => {
    const found: Record<string, unknown>[] = [];
    for await (const line of linesOf(output)) found.push(JSON.parse(line) as Record<string, unknown>);
    return found;
  };
  return { input, output, done, send, answers };
}

const rowsOf = (answers: readonly Record<string, unknown>[], id: unknown) =>
  answers.filter((answer) => answer.id === id && "rows" in answer).flatMap(({ rows }) => rows as { row: unknown }[]);

describe("a session", () => {
  it("answers requests that overlap, each row in its request's order", async () => {
    const { input, send, answers } = open({ echo });
    send({ id: 1, method: "echo", rows: [1, 2], more: true }, { id: "b", method: "echo", rows: ["x"] });
    send({ id: 1, rows: Array.from({ length: 200 }, (_, i) => i), more: true }, { id: 1, rows: [] });
    input.end();
    const found = await answers();
    expect(rowsOf(found, 1).map(({ row }) => row)).toEqual([1, 2, ...Array.from({ length: 200 }, (_, i) => i)]);
    expect(rowsOf(found, "b")).toEqual([{ row: "x" }]);
    expect(found.filter(({ id, result }) => id === 1 && result)).toEqual([{ id: 1, result: { count: 202 } }]);
    expect(found.findIndex(({ id, result }) => id === "b" && result)).toBeLessThan(
      found.findIndex(({ id, result }) => id === 1 && result),
    );
    expect(Math.max(...found.map(({ rows }) => (rows as unknown[] | undefined)?.length ?? 0))).toBeLessThanOrEqual(64);
  });

  it.each([
    ["{", null, /expected one JSON object per line: /],
    ["[1]", null, /expected one JSON object per line, got an array/],
    [{ method: "echo" }, null, /expected `id` of a frame to be a string or a number, got nothing/],
    [{ id: 1, rows: 5 }, null, /expected `rows` of a frame to be an array, got a number/],
    [{ id: 1, method: "echo", more: 1 }, null, /expected `more` of a frame to be true or false, got a number/],
    [{ id: 1, method: "toString" }, 1, /expected one of the methods echo, got "toString"/],
  ])("says what is wrong with %j, and goes on", async (frame, id, message) => {
    const { input, send, answers } = open({ echo });
    send(frame, { id: 9, method: "echo", rows: [1] });
    input.end();
    const found = await answers();
    const error = { code: expect.any(String), message: expect.stringMatching(message) };
    expect(found).toContainEqual({ id, error });
    expect(found).toContainEqual({ id: 9, result: { count: 1 } });
  });

  it("refuses a second request of the same id, and more of them than it holds", async () => {
    const { input, send, answers } = open({ forever });
    const ids = Array.from({ length: 257 }, (_, id) => id);
    for (const id of ids) send({ id, method: "forever" });
    send({ id: 3, method: "forever" });
    for (const id of ids) send({ id, cancel: true });
    input.end();
    const found = await answers();
    expect(found).toContainEqual({
      id: 256,
      error: { code: "usage", message: expect.stringContaining("256 requests") },
    });
    expect(found).toContainEqual({ id: null, error: { code: "usage", message: "the request 3 is already open" } });
    expect(found).toContainEqual({ id: 255, error: { code: "infra", message: "given up" } });
  });

  it("reads no further while many rows wait to be taken, whoever sent them", async () => {
    let take: (() => void) | undefined;
    const slow: Method = async (call) => {
      await new Promise<void>((resolve) => (take = resolve));
      return echo(call);
    };
    let sent = 0;
    function* frames(): Generator<Buffer> {
      yield Buffer.from('{"id": 1, "method": "slow", "more": true}\n');
      const rows = JSON.stringify(Array.from({ length: 1000 }, () => 0));
      for (; sent < 20; sent++) yield Buffer.from(`{"id": 1, "rows": ${rows}, "more": true}\n`);
      yield Buffer.from('{"id": 1}\n');
    }
    const output = new PassThrough();
    const done = serveFrames({ input: Readable.from(frames(), { highWaterMark: 1 }), output, methods: { slow } });
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    expect(sent).toBeLessThan(8); // 4 of these wait, and some are in transit
    take!();
    output.resume(); // now the client reads
    await done;
    expect(sent).toBe(20);
  });

  it("makes rows only as they are read", async () => {
    let made = 0;
    const endless: Method = async ({ put, signal }) => {
      for (; !signal.aborted && made < 1e6; made++) await put({ text: "x".repeat(1000) });
      return {};
    };
    const { send, output, done } = open({ endless });
    send({ id: 1, method: "endless" });
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(1000);
    output.destroy(); // the client disconnects
    await done;
    expect(made).toBeLessThan(1000);
  });

  it("keeps few listeners, however often and for however many requests it waits for a slow client", async () => {
    const large: Method = async ({ put }) => {
      for (let row = 0; row < 20; row++) {
        await put({ text: "x".repeat(40_000) });
        await setImmediate(); // so that each row is a frame
      }
      return {};
    };
    const { input, output, send, done } = open({ large });
    const most = { drain: 0, close: 0, error: 0 };
    const names = Object.keys(most) as (keyof typeof most)[];
    const count = () => {
      for (const name of names) most[name] = Math.max(most[name], output.listenerCount(name));
    };
    const before = output.listenerCount("close");
    send(...Array.from({ length: 20 }, (_, id) => ({ id, method: "large" })));
    let drains = 0;
    output.on("drain", () => {
      drains += 1;
      count();
    });
    input.end();
    let read = 0;
    for await (const chunk of output) {
      read += (chunk as Buffer).length;
      count();
    }
    await done;
    expect(read).toBeGreaterThan(20 * 20 * 40_000);
    expect(drains).toBeGreaterThan(5);
    for (const name of names) expect(most[name], name).toBeLessThanOrEqual(before + 3);
  });

  it("ends a request whose rows did not come whole when the input ends", async () => {
    const { input, send, answers } = open({ echo });
    send({ id: 1, method: "echo", rows: [1], more: true });
    input.end();
    const found = await answers();
    expect(rowsOf(found, 1)).toEqual([{ row: 1 }]);
    const message = "the input ended before the last rows of this request";
    expect(found.at(-1)).toEqual({ id: 1, error: { code: "input", message } });
  });

  it("is over at once when its signal aborts", async () => {
    const ending = new AbortController();
    const { send, done } = open({ forever }, ending.signal);
    send({ id: 1, method: "forever" });
    await setImmediate();
    ending.abort();
    await done;
  });

  it("ends at a line that is longer than any frame, before it has come whole", async () => {
    const { input, answers, done } = open({ echo });
    const failed = expect(done).rejects.toThrow(/expected a line of at most 67108864 characters/);
    const found = answers();
    const piece = "x".repeat(2 ** 24);
    for (let i = 0; i < 5; i++) input.write(piece);
    await failed;
    expect(await found).toEqual([
      { id: null, error: { code: "input", message: expect.stringContaining("session ends") } },
    ]);
  });
});
