/**
 * Downloads a file over HTTP. It resumes (Range with If-Range, `FILE.part` and its validator in `FILE.part.etag`), retries
 * (`http.ts`), and checks size and SHA-256 before the file gets its final name.
 * Source: RFC 9110, 13.1.5 (If-Range), 14 (ranges).
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { CodescoreError, messageOf } from "../errors.ts";
import { isFileError, listening, Passing, persist, type RetryOptions, refuse } from "./http.ts";

export interface DownloadOptions extends RetryOptions {
  /** Expected SHA-256 in hexadecimal. @default not checked */
  readonly sha256?: string;
  /** Expected number of bytes. @default not checked */
  readonly size?: number;
  /** Additional request headers. On a redirect to another server, fetch removes `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called as bytes arrive. `total` is null if the server does not report it. */
  readonly onProgress?: (bytes: number, total: number | null) => void;
}

/**
 * Downloads to `path` and returns the SHA-256. Throws `CodescoreError("environment")` if the server cannot be reached
 * or refuses, and `CodescoreError("input")` if the bytes are not the expected ones. An incomplete download is kept for the
 * next call; wrong bytes are deleted.
 */
export async function download(url: string, path: string, options: DownloadOptions = {}): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  await persist(
    `cannot download ${url}`,
    options,
    () => attempt(url, part, options),
    () => sizeOf(part),
  );
  const [size, sha256] = [await sizeOf(part), await fileHash(part)];
  const check = async (what: string, wanted: string | number, got: string | number): Promise<void> => {
    if (got === wanted) return;
    await removePart(part);
    throw new CodescoreError("input", `${url}: expected ${what} ${wanted}, got ${got}; the download was deleted`);
  };
  await check("a size in bytes of", options.size ?? size, size);
  await check("SHA-256", options.sha256?.toLowerCase() ?? sha256, sha256);
  await rename(part, path);
  await removePart(part);
  return sha256;
}

/** The SHA-256 of a file in hexadecimal. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function attempt(url: string, part: string, options: DownloadOptions): Promise<void> {
  const { headers: more = {}, onProgress } = options;
  await listening(options, async (signal, heard) => {
    // Without a validator the rest could belong to another version of the file, so the download restarts.
    const validator = await readFile(`${part}.etag`, "utf8").catch(() => null);
    const have = validator === null ? 0 : await sizeOf(part);
    const range = have > 0 ? { Range: `bytes=${have}-`, "If-Range": validator as string } : {};
    const headers = { ...more, "Accept-Encoding": "identity", "User-Agent": "codescore", ...range };
    const response = await fetch(url, { headers, signal });
    heard();
    if (response.status === 416) return await beyondTheEnd(response, part, have);
    if (!response.ok) await refuse(`cannot download ${url}`, response);
    const from = response.status === 206 ? rangeStart(response) : 0;
    if (from !== (response.status === 206 ? have : 0))
      throw new CodescoreError("environment", `${url}: the server sent another range than requested`);
    if (response.status !== 206) await keepValidator(part, response);
    const coded = (response.headers.get("content-encoding") ?? "identity") !== "identity";
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    const total = Number.isFinite(length) && !coded ? from + length : null;
    let bytes = from;
    onProgress?.(bytes, total);
    // Not with `pipeline`: when the connection drops, it discards data that is not yet written to the file.
    const file = await open(part, from > 0 ? "a" : "w");
    try {
      for await (const chunk of response.body ?? []) {
        heard();
        await file.appendFile(chunk);
        bytes += chunk.length;
        onProgress?.(bytes, total);
      }
    } finally {
      await file.close();
    }
    if (total !== null && bytes !== total) throw new Passing(`the connection ended after ${bytes} of ${total} bytes`);
  }).catch((error: unknown) => {
    if (!isFileError(error)) throw error;
    throw new CodescoreError("usage", `cannot write ${part}: ${messageOf(error)}`, { cause: error });
  });
}

/** 416: the part is already the whole file (if its size is the total), or it does not belong to this file. */
async function beyondTheEnd(response: Response, part: string, have: number): Promise<void> {
  await response.body?.cancel();
  const total = /^bytes \*\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
  if (total !== undefined && Number(total) === have) return;
  await removePart(part);
  throw new Passing("the server's file is shorter than the part downloaded before; starting again");
}

const rangeStart = (response: Response): number =>
  Number(/^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1] ?? Number.NaN);

/** Stores a strong ETag, otherwise the modification date. A weak ETag is not enough, because it does not guarantee identical bytes. */
async function keepValidator(part: string, { headers }: Response): Promise<void> {
  const etag = headers.get("content-encoding") === null ? headers.get("etag") : "W/"; // ranges do not apply to decoded bytes
  const validator = etag === null ? headers.get("last-modified") : etag.startsWith("W/") ? null : etag;
  await rm(part, { force: true });
  if (validator === null) await rm(`${part}.etag`, { force: true });
  else await writeFile(`${part}.etag`, validator);
}

async function removePart(part: string): Promise<void> {
  await Promise.all([rm(part, { force: true }), rm(`${part}.etag`, { force: true })]);
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
