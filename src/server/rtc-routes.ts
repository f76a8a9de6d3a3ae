/** The routes of a server that also acts as a proxy for a language model. */
import type { Context, Hono } from "hono";
import { CodescoreError } from "../errors.ts";
import type { BodyLimits } from "./body.ts";
import { evaluate } from "./evaluate-route.ts";
import { Limiter } from "./limiter.ts";
import type { ServerMetrics } from "./metrics.ts";
import { passChat, passModels } from "./proxy.ts";
import { checkRoundTripOptions, type RoundTripOptions } from "./round-trip.ts";
import { Upstream, type UpstreamOptions } from "./upstream.ts";

export interface RtcOptions extends UpstreamOptions, RoundTripOptions {
  /** Maximum concurrent requests to the upstream. @default 64 */
  readonly concurrency?: number;
  /** Maximum requests that wait for the upstream. Further ones get 429. @default 100 */
  readonly waiting?: number;
  /** How long a stream waits for the result so that headers can contain it, and then the time between two comments; in ms. @default 10_000 */
  readonly keepAliveMs?: number;
}

export const rtcDefaults = { concurrency: 64, waiting: 100, keepAliveMs: 10_000 } as const;

export interface RtcContext {
  readonly metrics: ServerMetrics;
  readonly bodies: BodyLimits;
  /** Whether the clients' bearer token is meant for this server. */
  readonly guarded: boolean;
  /** Counts upstream calls against the client's rate, like `RateLimit.pay`. */
  readonly pay: (c: Context, calls: number) => void;
}

/** Adds the routes, and returns their limiter. Throws for options with which no request could be answered. */
export async function addRtcRoutes(app: Hono, options: RtcOptions, context: RtcContext): Promise<Limiter> {
  const { concurrency, waiting, keepAliveMs } = { ...rtcDefaults, ...options };
  for (const [name, value] of Object.entries({ concurrency, waiting, keepAliveMs })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new CodescoreError("usage", `expected \`${name}\` to be an integer of at least 1, got ${value}`);
  }
  await checkRoundTripOptions(options);
  const upstream = new Upstream(options, context.guarded);
  const limiter = new Limiter({ concurrency, waiting });
  const parts = { ...context, upstream, limiter };
  app.post("/v1/chat/completions", passChat(parts));
  app.get("/v1/models", passModels(parts));
  app.post("/evaluate/v1/chat/completions", evaluate({ ...parts, trip: options, keepAliveMs }));
  app.get("/evaluate/v1/models", passModels(parts));
  return limiter;
}
