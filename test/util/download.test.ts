/** Downloads from a test server that drops connections, refuses ranges, asks for pauses and changes files. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DownloadOptions, download } from "../../src/util/download.ts";

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251));
const hash = createHash("sha256").update(bytes).digest("hex");

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that gives its answers in order, and repeats the last one; a fresh folder; and the requests. */
async function serve(...answers: Answer[]) {
  const asked: { range: string | undefined; ifRange: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ range: request.headers.range, ifRange: request.headers["if-range"] as string | undefined });
    answers[Math.min(asked.length, answers.length) - 1]!(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const folder = mkdtempSync(join(tmpdir(), "codescore-download-"));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const retries: string[] = [];
  const path = join(folder, "sub", "file.bin");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.bin`;
  const get = (options: DownloadOptions = {}) =>
    download(url, path, { pauseMs: 1, attempts: 4, onRetry: (message) => retries.push(message), ...options });
  return { asked, retries, path, url, get };
}

/** Answers range requests by RFC 9110. `cutAt`: the connection drops after this many bytes of the answer. */
const file =
  (content = bytes, { etag = '"one"', cutAt }: { etag?: string | null; cutAt?: number } = {}): Answer =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const partial = from > 0 && request.headers["if-range"] === etag;
    if (etag !== null) response.setHeader("ETag", etag);
    if (partial && from >= content.length) {
      response.writeHead(416, { "Content-Range": `bytes */${content.length}` }).end();
      return;
    }
    const body = partial ? content.subarray(from) : content;
    if (partial) response.setHeader("Content-Range", `bytes ${from}-${content.length - 1}/${content.length}`);
    response.writeHead(partial ? 206 : 200, { "Content-Length": body.length });
    if (cutAt === undefined) response.end(body);
    else response.write(body.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 300)); // after it was received
  };

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end();
  };

describe("a download", () => {
  it("comes whole, says how far it is, and leaves nothing else behind", async () => {
    const { get, path } = await serve(file());
    const seen: [number, number | null][] = [];
    expect(await get({ sha256: hash.toUpperCase(), onProgress: (...step) => seen.push(step) })).toBe(hash);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(join(path, ".."))).toEqual(["file.bin"]);
    expect(seen[0]).toEqual([0, bytes.length]);
    expect(seen.at(-1)).toEqual([bytes.length, bytes.length]);
  });

  it("that is cut off goes on where it stopped, as often as it takes while something comes", async () => {
    const cut = file(bytes, { cutAt: 20_000 });
    const { get, asked, path, retries } = await serve(cut, cut, cut, cut, cut, cut, file());
    expect(await get()).toBe(hash);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(asked).toHaveLength(7);
    expect(asked[1]).toEqual({ range: expect.stringMatching(/^bytes=\d+-$/), ifRange: '"one"' });
    expect(retries).toHaveLength(6);
  });

  it("goes on in a later call", async () => {
    const { get, asked, path } = await serve(file(bytes, { cutAt: 20_000 }), status(404), file());
    await expect(get()).rejects.toMatchObject({ code: "environment", message: expect.stringContaining("404") });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.part`)).toBe(true);
    expect(await get()).toBe(hash);
    expect(asked[2]?.range).toMatch(/^bytes=\d+-$/);
  });

  it("begins again when the file has changed meanwhile", async () => {
    const other = Buffer.from("another file altogether");
    const { get, path } = await serve(file(bytes, { cutAt: 20_000 }), file(other, { etag: '"two"' }));
    await get();
    expect(readFileSync(path, "utf8")).toBe("another file altogether");
  });

  it.each([
    ["no validator", null],
    ["a weak one only", 'W/"one"'],
  ])("begins again when the server gave %s", async (_, etag) => {
    const { get, asked, path } = await serve(file(bytes, { etag, cutAt: 20_000 }), file(bytes, { etag }));
    expect(await get()).toBe(hash);
    expect(asked[1]?.range).toBeUndefined();
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("that was whole already is told so by 416 and not fetched twice", async () => {
    const { get, asked, path } = await serve(file());
    await get();
    renameSync(path, `${path}.part`);
    writeFileSync(`${path}.part.etag`, '"one"');
    expect(await get({ sha256: hash })).toBe(hash);
    expect(asked[1]?.range).toBe(`bytes=${bytes.length}-`);
    expect(existsSync(path)).toBe(true);
  });

  it("of which more is there than the server has begins again", async () => {
    const { get, asked, path } = await serve(status(416, { "Content-Range": "bytes */5" }), file());
    mkdirSync(join(path, ".."));
    writeFileSync(`${path}.part`, "longer than five");
    writeFileSync(`${path}.part.etag`, '"one"');
    expect(await get()).toBe(hash);
    expect(asked.map(({ range }) => range)).toEqual(["bytes=16-", undefined]);
  });

  it("waits as long as Retry-After says, be it in seconds or a date", async () => {
    const { get, retries } = await serve(
      status(429, { "Retry-After": "1" }),
      status(503, { "Retry-After": new Date(Date.now() - 5000).toUTCString() }),
      status(500),
      file(),
    );
    const began = performance.now();
    expect(await get()).toBe(hash);
    expect(performance.now() - began).toBeGreaterThan(950);
    expect(retries).toEqual([
      "the server answered 429 Too Many Requests; trying again in 1.0 s",
      "the server answered 503 Service Unavailable; trying again in 0.0 s",
      "the server answered 500 Internal Server Error; trying again in 0.0 s",
    ]);
  });

  it("gives up after so many attempts that bring nothing, and says that it can go on", async () => {
    const { get, asked, url } = await serve(status(502));
    await expect(get()).rejects.toMatchObject({
      code: "environment",
      message: `cannot download ${url}: the server answered 502 Bad Gateway (4 attempts); repeat the call to continue where it stopped`,
    });
    expect(asked).toHaveLength(4);
  });

  it("gives up a connection on which nothing comes", async () => {
    const { get, asked } = await serve(() => {});
    await expect(get({ silenceMs: 30, attempts: 2 })).rejects.toThrow(/no data for 0\.03 s \(2 attempts\)/);
    expect(asked).toHaveLength(2);
  });

  it("with the wrong bytes is thrown away, and begins anew in the next call", async () => {
    const { get, asked, path } = await serve(file(Buffer.from("<html>")), file());
    await expect(get({ sha256: hash })).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(/expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}; the download was deleted/),
    });
    expect(readdirSync(join(path, ".."))).toEqual([]);
    expect(await get({ sha256: hash })).toBe(hash);
    expect(asked[1]?.range).toBeUndefined();
  });

  it("of another size than expected is thrown away", async () => {
    const { get, path } = await serve(file());
    await expect(get({ size: 199_999 })).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(/expected a size in bytes of 199999, got 200000; the download was deleted/),
    });
    expect(readdirSync(join(path, ".."))).toEqual([]);
    expect(await get({ size: 200_000 })).toBe(hash);
  });

  it("from nowhere says so on one line", async () => {
    const { path } = await serve(file());
    const options = { attempts: 1, pauseMs: 1 };
    await expect(download("http://127.0.0.1:9/x", path, options)).rejects.toThrow(
      /cannot download http:\/\/127\.0\.0\.1:9\/x: \S/,
    );
    await expect(download("http://codescore.invalid/x", path, options)).rejects.toThrow(
      /its name cannot be resolved \(\w+\); is this machine online\?/,
    );
  });

  it("into a place that cannot be written says so and does not try again", async () => {
    const { get, path, asked } = await serve(file());
    mkdirSync(`${path}.part`, { recursive: true });
    await expect(get()).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(`cannot write ${path}.part`),
    });
    expect(asked).toHaveLength(1);
  });
});
