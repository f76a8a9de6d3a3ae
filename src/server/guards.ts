/** Access control: the key, the host names that this server answers to, and a rate limit per client. */
import { createHash, timingSafeEqual } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import { BusyError, fail, tooBusy } from "./answers.ts";

/** Requires `Authorization: Bearer KEY`. Throws `CodescoreError("usage")` for a key that a header cannot contain. */
export function bearerKey(key: string): MiddlewareHandler {
  if (!/^[\w.~+/-]+=*$/.test(key)) {
    throw new CodescoreError(
      "usage",
      "expected a key of letters, digits and -._~+/ (RFC 6750), at least one character",
    );
  }
  // Digests have the same length, so the time of the comparison reveals neither the key nor its length.
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const wanted = digest(key);
  return async (c, next) => {
    const header = c.req.header("authorization");
    const given = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next();
    c.header("WWW-Authenticate", 'Bearer realm="codescore"');
    const message =
      given === undefined
        ? `expected the header \`Authorization: Bearer KEY\`, got ${header === undefined ? "none" : "another"}`
        : "the key is wrong";
    return fail(c, 401, "key", message);
  };
}

/** Whether an address is reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|localhost|\[?::1\]?)$/i.test(host);

/**
 * For a server that is reachable only locally: refuses requests to other host names. Otherwise a web page could point its own name
 * at this machine (DNS rebinding), and its scripts would then have the same origin.
 */
export const localNamesOnly: MiddlewareHandler = async (c, next) => {
  const { hostname } = new URL(c.req.url);
  if (isLoopback(hostname)) return next();
  return fail(
    c,
    403,
    "usage",
    `this server accepts requests for localhost only, got one for ${hostname}; see --api-key-env`,
  );
};

/** Maximum number of clients remembered. Beyond it, the one updated least recently is forgotten. */
const CLIENTS = 10_000;

/**
 * A token bucket of rows per client: it holds one minute's worth and refills at that rate. The cost of a request is checked and taken
 * in one step, before any work, so that simultaneous requests cannot spend the same rows.
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #clients = new Map<string, { rows: number; at: number }>();
  readonly #paid = new WeakMap<Context, number>();

  /** @param perMinute rows per client */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Takes rows from a client's bucket and returns 0; or returns the seconds until enough are there. @param now milliseconds */
  take(client: string, rows: number, now = performance.now()): number {
    const left = this.#level(client, now) - rows;
    if (left < 0) return (-left * 60) / this.#perMinute;
    this.#set(client, left, now);
    return 0;
  }

  /** Returns rows to a client's bucket. */
  giveBack(client: string, rows: number, now = performance.now()): void {
    this.#set(client, this.#level(client, now) + rows, now);
  }

  #set(client: string, rows: number, at: number): void {
    this.#clients.delete(client);
    this.#clients.set(client, { rows, at });
    if (this.#clients.size > CLIENTS) this.#clients.delete(this.#clients.keys().next().value!);
  }

  #level(client: string, now: number): number {
    const { rows, at } = this.#clients.get(client) ?? { rows: this.#perMinute, at: now };
    return Math.min(this.#perMinute, rows + ((now - at) / 60_000) * this.#perMinute);
  }

  /** Takes one row for every request, so that guessing keys has a cost. A request answered with 429 gets back what it paid. */
  readonly middleware: MiddlewareHandler = async (c, next) => {
    const client = clientOf(c);
    const seconds = this.take(client, 1);
    if (seconds > 0) return tooBusy(c, seconds, this.#message);
    this.#paid.set(c, 1);
    await next();
    if (c.res.status === 429) this.giveBack(client, this.#paid.get(c)!);
    return undefined;
  };

  /**
   * Takes the cost of a request, minus the row already paid. Throws `BusyError` if the rows are not there yet, and
   * `CodescoreError("input")` if the cost exceeds the limit.
   */
  pay(c: Context, rows: number): void {
    if (rows > this.#perMinute) {
      throw new CodescoreError("input", `${this.#message}, got a request that counts as ${rows}; split the request`);
    }
    const paid = this.#paid.get(c) ?? 0;
    const seconds = this.take(clientOf(c), Math.max(0, rows - paid));
    if (seconds > 0) throw new BusyError(this.#message, seconds);
    this.#paid.set(c, Math.max(paid, rows));
  }

  get #message(): string {
    return `expected at most ${counted(this.#perMinute, "row")} per minute`;
  }
}

/** The client's address. For IPv6 it is the /64 prefix, because a client controls all addresses in it. */
export function clientOf(c: Context): string {
  const address = c.env?.incoming === undefined ? "" : (getConnInfo(c).remote.address ?? "");
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head, tail] = address.split("::").map((groups) => groups.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head!.length - (tail?.length ?? 0)).fill("0");
  return [...head!, ...(tail ? [...zeros, ...tail] : [])].slice(0, 4).join(":");
}
