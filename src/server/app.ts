/**
 * The HTTP interface of a scorer: see openapi.ts for the routes. Here requests are checked, counted and answered;
 * queue.ts batches their rows. Not here: sockets and shutdown (listen.ts), TLS (put a proxy in front).
 */
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { routePath } from "hono/route";
import { secureHeaders } from "hono/secure-headers";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { CodescoreError } from "../errors.ts";
import type { Score, ScoreInput } from "../types.ts";
import { ServerMetrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { type Page, readPage } from "./page.ts";
import { ScoringQueue } from "./queue.ts";
import { parseBody, parseInput, parseRows } from "./rows.ts";
import type { BatchScorer, RowError } from "./scorer.ts";

export interface AppOptions {
  readonly scorer: BatchScorer;
  /** Wanted as bearer token by `/v1/*` and `/metrics`; nothing is asked for without one. */
  readonly apiKey?: string;
  /** @default 10_000_000 */
  readonly maxBodyBytes?: number;
  /** Rows of one request. @default 1000 */
  readonly maxRows?: number;
  /** Rows that may wait for the scorer; further requests get 429. At least `maxRows`. @default 10_000 */
  readonly queueLimit?: number;
  /** Rows handed to the scorer at a time. @default 256 */
  readonly batchRows?: number;
}

export const appDefaults = { maxBodyBytes: 10_000_000, maxRows: 1000, queueLimit: 10_000, batchRows: 256 } as const;

/** Throws `CodescoreError("usage")` for options out of range. */
export async function createApp(options: AppOptions): Promise<Hono> {
  const { scorer, apiKey, maxBodyBytes, maxRows, queueLimit, batchRows } = { ...appDefaults, ...options };
  for (const [name, value] of Object.entries({ maxBodyBytes, maxRows, queueLimit, batchRows })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new CodescoreError("usage", `expected \`${name}\` to be an integer of at least 1, got ${value}`);
    }
  }
  if (queueLimit < maxRows) {
    throw new CodescoreError(
      "usage",
      `expected \`queueLimit\` (${queueLimit}) to be at least \`maxRows\` (${maxRows})`,
    );
  }
  if (apiKey !== undefined && !/^[\w.~+/-]+=*$/.test(apiKey)) {
    throw new CodescoreError(
      "usage",
      "expected a key of letters, digits and -._~+/ (RFC 6750), at least one character",
    );
  }
  const queue = new ScoringQueue(scorer, { queueLimit, batchRows });
  const metrics = new ServerMetrics();
  const page = await readPage();

  const app = new Hono();
  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    const route = c.res.status === 404 ? "other" : routePath(c, -1);
    metrics.request(route, c.res.status, (performance.now() - began) / 1000);
  });
  app.use(secureHeaders({ contentSecurityPolicy: policy(page), xFrameOptions: "DENY" }));
  if (apiKey !== undefined) {
    const message = (text: string) => ({ message: problem("usage", text) });
    const auth = bearerAuth({
      token: apiKey,
      noAuthenticationHeader: message("expected the header `Authorization: Bearer KEY`, got none"),
      invalidAuthenticationHeader: message("expected the header `Authorization: Bearer KEY`"),
      invalidToken: message("the key is not the right one"),
    });
    app.use("/v1/*", auth);
    app.use("/metrics", auth);
  }
  app.use(
    "/v1/*",
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (c) =>
        fail(c, 413, "input", `expected a body of at most ${maxBodyBytes} bytes; send fewer rows a request`),
    }),
    async (c, next) => {
      // JSON only: pages of other origins cannot send that without asking, so none can spend this machine's time.
      const type = c.req.header("content-type") ?? "nothing";
      if (c.req.method !== "POST" || /^application\/json\s*(;|$)/i.test(type)) return next();
      return fail(c, 415, "input", `expected the header \`Content-Type: application/json\`, got ${type}`);
    },
  );

  const tooBusy = (c: Context): Response => {
    c.header("Retry-After", String(queue.retryAfterS));
    return fail(c, 429, "busy", `${queue.length} rows wait already; try again in ${queue.retryAfterS} s`);
  };
  const count = (result: Score | RowError): void => {
    metrics.row();
    if ("error" in result) metrics.rowError(result.error.code);
  };

  app.post("/v1/score", async (c) => {
    const rows = parseRows(parseBody(await c.req.text()), maxRows);
    const inputs = rows.flatMap(({ input }): ScoreInput[] => ("error" in input ? [] : [input]));
    const scored = inputs.length === 0 ? Promise.resolve([]) : queue.submit(inputs);
    if (scored === null) return tooBusy(c);
    const results = (await scored).values();
    return c.json({
      rows: rows.map(({ id, input }) => {
        const result = "error" in input ? input : results.next().value!;
        count(result);
        return { id, ...result };
      }),
    });
  });

  app.post("/v1/similarity", async (c) => {
    const body = parseBody(await c.req.text());
    const input = parseInput(body);
    if ("error" in input) return fail(c, 400, input.error.code, input.error.message);
    if (typeof input.reference !== "string") {
      return fail(c, 400, "input", "expected `reference` to be a string: a similarity is to something");
    }
    const scored = queue.submit([input]);
    if (scored === null) return tooBusy(c);
    const result = (await scored)[0]!;
    count(result);
    if (!("error" in result)) return c.json({ similarity: result.score, signature: result.signature });
    return fail(c, result.error.code === "input" ? 422 : 500, result.error.code, result.error.message);
  });

  app.get("/healthz", (c) => c.json({ status: "ok", signature: scorer.signature }));
  app.get("/metrics", (c) => c.text(metrics.text(queue.length), 200, { "Content-Type": "text/plain; version=0.0.4" }));
  app.get("/openapi.json", (c) => c.json(openApi({ maxRows, maxBodyBytes, withKey: apiKey !== undefined })));
  app.get("/", (c) => c.html(page.html));

  app.notFound((c) =>
    fail(c, 404, "usage", `there is no ${c.req.method} ${c.req.path}; /openapi.json says what there is`),
  );
  app.onError((error, c) => {
    if (error instanceof CodescoreError && error.code === "input") return fail(c, 400, "input", error.message);
    if ("getResponse" in error) return error.getResponse();
    process.stderr.write(`codescore: ${c.req.method} ${c.req.path}: ${error.stack ?? error.message}\n`);
    return fail(c, 500, "infra", "the server failed on this request; its log says how");
  });
  return app;
}

const problem = (code: string, message: string) => ({ error: { code, message } });

const fail = (c: Context, status: ContentfulStatusCode, code: string, message: string): Response =>
  c.json(problem(code, message), status);

/** Nothing but the page's own script and style, and requests to this server. */
const policy = ({ scriptHash, styleHash }: Page) => ({
  defaultSrc: ["'none'"],
  scriptSrc: [`'sha256-${scriptHash}'`],
  styleSrc: [`'sha256-${styleHash}'`],
  connectSrc: ["'self'"],
  imgSrc: ["data:"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});
