/**
 * The HTTP interface of a scorer; openapi.ts lists the routes. This file checks, counts and answers requests, and queue.ts batches
 * their rows. Sockets and shutdown are in listen.ts. For TLS, put a proxy in front.
 */
import { type Context, Hono } from "hono";
import { requestId } from "hono/request-id";
import { routePath } from "hono/route";
import { NONCE, type SecureHeadersVariables, secureHeaders } from "hono/secure-headers";
import { CodescoreError, messageOf } from "../errors.ts";
import { MOST_INPUTS, RUN_DEFAULTS } from "../score/index.ts";
import type { Score } from "../types.ts";
import { counted } from "../util/counted.ts";
import { Analysis } from "./analysis.ts";
import { BusyError, fail, GoneError, logFailure, problem, tooBusy } from "./answers.ts";
import { BodyError, readJsonBody } from "./body.ts";
import { BodyBudget } from "./body-budget.ts";
import { bearerKey, localNamesOnly, RateLimit } from "./guards.ts";
import { ServerMetrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { type Page, readPage } from "./page.ts";
import { ScoringQueue } from "./queue.ts";
import { parsePair } from "./rows.ts";
import { addRtcRoutes, type RtcOptions } from "./rtc-routes.ts";
import type { Runner } from "./run-lane.ts";
import { RunQueue } from "./run-queue.ts";
import { RunRefusedError } from "./run-request.ts";
import { type ScoreParts, scoreRoute } from "./score-route.ts";
import type { BatchScorer, RowError } from "./scorer.ts";

export interface AppOptions {
  readonly scorer: BatchScorer;
  /** Also acts as a proxy for a language model: rtc-routes.ts. @default only scores */
  readonly rtc?: RtcOptions;
  /** Also runs candidates, on request. The caller that opened it must close it. @default nothing is ever executed */
  readonly runner?: Runner;
  /** The bearer token required by `/metrics` and all routes that cost something. @default no token is required */
  readonly apiKey?: string;
  /** Share of the intervals that contain the PassRatio; shown on the page. @default 0.9 */
  readonly coverage?: number;
  /** Answers only requests to the local host names. For a server that listens only locally and requires no key. */
  readonly localOnly?: boolean;
  /** Rows and language model calls per minute and client. Further requests get 429. @default no limit */
  readonly rateLimit?: number;
  /** @default 10_000_000 */
  readonly maxBodyBytes?: number;
  /** Maximum bytes of the bodies of all unanswered requests. Further requests get 429. At least `maxBodyBytes`. @default 100_000_000 */
  readonly maxBodiesBytes?: number;
  /** Maximum rows per request. @default 1000 */
  readonly maxRows?: number;
  /** Maximum rows per request with `explain`. @default 10 */
  readonly maxExplained?: number;
  /** Maximum rows per request with `consensus`. @default 100 */
  readonly maxConsensus?: number;
  /** Maximum rows per request with `run`. @default 100 */
  readonly maxRun?: number;
  /** Maximum inputs per task in a request. A request that does not set them gets this many, but not more than 40. @default 40 */
  readonly maxInputs?: number;
  /** Maximum rows to run that are accepted and not yet answered. Further requests get 429. At least `maxRun`. @default 500 */
  readonly runQueueLimit?: number;
  /** Maximum characters of a candidate, a reference or a description. @default 100_000 */
  readonly maxChars?: number;
  /** Maximum characters of all rows of a request with `explain`, `consensus` or `run`. @default 200_000 */
  readonly maxJointChars?: number;
  /** Maximum rows that wait for the scorer. Further requests get 429. At least `maxRows`. @default 10_000 */
  readonly queueLimit?: number;
  /** Rows per call of the scorer. @default 64 */
  readonly batchRows?: number;
}

export const appDefaults = {
  maxBodyBytes: 10_000_000,
  maxBodiesBytes: 100_000_000,
  maxRows: 1000,
  maxExplained: 10,
  maxConsensus: 100,
  maxRun: 100,
  maxInputs: RUN_DEFAULTS.inputs,
  runQueueLimit: 500,
  maxChars: 100_000,
  maxJointChars: 200_000,
  queueLimit: 10_000,
  batchRows: 64,
  rateLimit: Number.POSITIVE_INFINITY,
} as const;

/** Throws `CodescoreError("usage")` for options out of range. */
export async function createApp(options: AppOptions): Promise<Hono> {
  const { scorer, rtc, runner = null, apiKey, localOnly = false, coverage, ...limits } = { ...appDefaults, ...options };
  checkLimits(limits);
  const queue = new ScoringQueue(scorer, limits);
  const metrics = new ServerMetrics();
  const runs = runner && new RunQueue(runner.lanes, metrics, limits);
  const rowLimits = { ...limits, runs: runs !== null };
  const guarded = apiKey !== undefined;
  const page = await readPage({ runs: runs !== null, guarded, coverage });

  const app = new Hono();
  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    const known = c.res.status !== 404 && c.res.status !== 405;
    metrics.request(known ? routePath(c, -1) : "other", c.res.status, (performance.now() - began) / 1000);
  });
  // No Strict-Transport-Security: only the proxy in front knows whether a host name has TLS.
  const headers = { contentSecurityPolicy: policy(page), xFrameOptions: "DENY", strictTransportSecurity: false };
  app.use(requestId(), secureHeaders(headers));
  if (localOnly) app.use(localNamesOnly);
  const rate = Number.isFinite(limits.rateLimit) ? new RateLimit(limits.rateLimit) : null;
  const auth = apiKey === undefined ? null : bearerKey(apiKey);
  for (const paths of ["/v1/*", "/evaluate/*"]) {
    if (rate !== null) app.use(paths, rate.middleware);
    if (auth !== null) app.use(paths, auth);
  }
  if (auth !== null) app.use("/metrics", auth);

  const bodies = { maxBodyBytes: limits.maxBodyBytes, budget: new BodyBudget(limits.maxBodiesBytes) };

  const score: ScoreParts["score"] = (c, inputs, cost = 0) => {
    rate?.pay(c, cost);
    const scored = queue.submit(inputs, c.req.raw.signal);
    if (scored === null) throw new BusyError(`${counted(queue.length, "row")} already waiting`, queue.retryAfterS);
    return scored;
  };
  const count = (result: Score | RowError): void => {
    metrics.row();
    if ("error" in result) metrics.rowError(result.error.code);
  };

  app.post(
    "/v1/score",
    scoreRoute({ limits: rowLimits, bodies, analysis: new Analysis(), modules: scorer.modules, runs, score, count }),
  );

  app.post("/v1/similarity", async (c) => {
    const pair = parsePair(await readJsonBody(c, bodies), rowLimits);
    const [result] = await score(c, [pair], 1);
    count(result!);
    if (!("error" in result!)) {
      const { score: similarity, signature, notes } = result!;
      return c.json({ similarity, signature, ...(notes && { notes }) });
    }
    return c.json(problem(result.error.code, result.error.message), result.error.code === "input" ? 422 : 500);
  });

  app.get("/healthz", async (c) => {
    const why = await scorer.ready().then(() => null, messageOf);
    const { sandbox, python } = runner ?? {};
    if (why === null)
      return c.json({ status: "ok", signature: scorer.signature, ...(runner && { runs: { sandbox, python } }) });
    return fail(c, 503, "infra", `nothing can be scored: ${why}`);
  });
  const pay = (c: Context, calls: number): void => rate?.pay(c, calls);
  const limiter = rtc ? await addRtcRoutes(app, rtc, { metrics, bodies, guarded, pay }) : null;
  app.get("/metrics", (c) =>
    c.text(metrics.text(queue.length, { upstream: limiter?.waiting, runs: runs?.length }), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    }),
  );
  app.get("/openapi.json", (c) => c.json(openApi({ ...rowLimits, withKey: guarded, withRtc: limiter !== null })));
  app.get("/", (c: Context<{ Variables: SecureHeadersVariables }>) =>
    c.html(page.html(c.get("secureHeadersNonce") ?? "")),
  );

  const methods = new Map<string, string>();
  for (const { path, method } of app.routes) if (method !== "ALL") methods.set(path, method);
  app.notFound((c) => {
    const allowed = methods.get(c.req.path);
    if (allowed === undefined) {
      return fail(c, 404, "usage", `there is no ${c.req.path.slice(0, 100)}; /openapi.json says what there is`);
    }
    c.header("Allow", allowed === "GET" ? "GET, HEAD" : allowed);
    return fail(c, 405, "usage", `${c.req.path} accepts ${allowed}, not ${c.req.method}`);
  });
  app.onError((error, c) => {
    if (error instanceof GoneError) return new Response(null, { status: 499 }); // the status that nginx uses
    if (error instanceof BusyError) return tooBusy(c, error.seconds, error.message);
    if (error instanceof RunRefusedError) return fail(c, 403, "usage", error.message);
    if (error instanceof BodyError) return fail(c, error.status, "input", error.message);
    if (error instanceof CodescoreError && error.code === "input") return fail(c, 400, "input", error.message);
    logFailure(c, error);
    return fail(c, 500, "infra", "the server failed on this request; its log has the error under the X-Request-Id");
  });
  return app;
}

function checkLimits({ rateLimit, ...integers }: Record<keyof typeof appDefaults, number>): void {
  for (const [name, value] of Object.entries({ ...integers, ...(Number.isFinite(rateLimit) ? { rateLimit } : {}) })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new CodescoreError("usage", `expected \`${name}\` to be an integer of at least 1, got ${value}`);
  }
  if (integers.maxInputs > MOST_INPUTS) {
    throw new CodescoreError("usage", `expected \`maxInputs\` to be at most ${MOST_INPUTS}, got ${integers.maxInputs}`);
  }
  for (const [name, least] of [
    ["queueLimit", "maxRows"],
    ["maxBodiesBytes", "maxBodyBytes"],
    ["runQueueLimit", "maxRun"],
  ] as const) {
    if (integers[name] >= integers[least]) continue;
    const got = `(${integers[name]}) to be at least \`${least}\` (${integers[least]})`;
    throw new CodescoreError("usage", `expected \`${name}\` ${got}`);
  }
}

/** Allows only the page's script and style, the editor's style sheets by their nonce, and requests to this server. Text never becomes markup. */
const policy = ({ scriptHash, styleHash }: Page) => ({
  defaultSrc: ["'none'"],
  scriptSrc: [`'sha256-${scriptHash}'`],
  styleSrc: [`'sha256-${styleHash}'`, NONCE],
  connectSrc: ["'self'"],
  imgSrc: ["data:"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
});
