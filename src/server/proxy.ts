/**
 * The routes that pass through: requests reach the upstream unchanged, and so do its answers on the way back, including errors
 * and server-sent events. Nothing here parses requests or answers (evaluate-route.ts does).
 */
import type { Context } from "hono";
import { proxy } from "hono/proxy";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { GoneError } from "./answers.ts";
import { type BodyLimits, readBody } from "./body.ts";
import type { Limiter } from "./limiter.ts";
import { relay } from "./relay.ts";
import type { Upstream, UpstreamFailure } from "./upstream.ts";

/** Request headers that are not forwarded: meant for this server, set by fetch, or specific to a connection (RFC 9110, 7.6.1). */
const notSent = [
  ...["authorization", "cookie", "host", "content-length", "expect"],
  ...["keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
];

/**
 * Response headers that are not forwarded, because they apply to the upstream's host name. `Access-Control-*` matters most: with it,
 * pages of other origins could use this server's key to read what the upstream lets everybody with its key read.
 */
const notShown =
  /^(access-control-.*|set-cookie|strict-transport-security|alt-svc|content-security-policy|x-frame-options)$/;

export interface ChatParts {
  readonly upstream: Upstream;
  readonly limiter: Limiter;
  readonly bodies: BodyLimits;
  /** Counts upstream calls against the client's rate, like `RateLimit.pay`. */
  readonly pay: (c: Context, calls: number) => void;
}

/** POST. Throws like `readBody` and `Limiter.enter`. */
export const passChat =
  ({ upstream, limiter, bodies, pay }: ChatParts) =>
  async (c: Context): Promise<Response> => {
    const body = await readBody(c, bodies);
    pay(c, 1);
    const entering = limiter.enter(c.req.raw.signal);
    return pass(c, upstream, { path: "chat/completions", body, done: await entering });
  };

/** GET. It is cheap, so it does not wait for running completions. */
export const passModels =
  ({ upstream, pay }: ChatParts) =>
  async (c: Context): Promise<Response> => {
    pay(c, 1);
    return pass(c, upstream, { path: "models", done: () => {} });
  };

/** An error response instead of the upstream's answer. */
export function answerFailure(c: Context, { status, error, retryAfter }: UpstreamFailure): Response {
  if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
  return c.json({ error }, status as ContentfulStatusCode);
}

interface Call {
  readonly path: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Called when the answer is complete. */
  readonly done: () => void;
}

async function pass(c: Context, upstream: Upstream, { path, body, done }: Call): Promise<Response> {
  const gone = c.req.raw.signal;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), upstream.timeoutMs);
  let response: Response;
  try {
    response = await proxy(`${upstream.baseUrl}/${path}${new URL(c.req.url).search}`, {
      method: c.req.method,
      headers: headersFor(c, upstream),
      redirect: "manual",
      signal: AbortSignal.any([gone, late.signal]),
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    done();
    if (gone.aborted) throw new GoneError("the client went away");
    return answerFailure(c, upstream.silent(late.signal.aborted));
  } finally {
    clearTimeout(timer);
  }
  const refused = upstream.refused(response.status);
  if (refused !== null) {
    done();
    await response.body?.cancel();
    return answerFailure(c, refused);
  }
  const headers = shownHeaders(response, upstream);
  const id = headers.get("x-request-id");
  if (id !== null) c.header("X-Request-Id", id); // the upstream's support asks for this id
  if (response.body === null) done();
  const { secret, timeoutMs } = upstream;
  return new Response(response.body && relay(response.body, { secret, timeoutMs, done }), {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

function headersFor(c: Context, upstream: Upstream): Record<string, string> {
  const headers = { ...c.req.header() };
  for (const name of notSent) delete headers[name];
  for (const name of headers.connection?.split(",") ?? []) delete headers[name.trim().toLowerCase()];
  delete headers.connection;
  const authorization = upstream.authorization(c);
  return authorization === undefined ? headers : { ...headers, authorization };
}

function shownHeaders(response: Response, upstream: Upstream): Headers {
  const shown = new Headers();
  for (const [name, value] of response.headers) if (!notShown.test(name)) shown.append(name, upstream.mask(value));
  return shown;
}
