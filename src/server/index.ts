/** The HTTP server for any scorer: `createApp` for the routes, `listen` for the socket. */
export { type AppOptions, appDefaults, createApp } from "./app.ts";
export { type Call, type Method, type SessionOptions, serveFrames } from "./frame-session.ts";
export { type Params, PROTOCOL } from "./frames.ts";
export { isLoopback } from "./guards.ts";
export { lazyScorer } from "./lazy-scorer.ts";
export { type Listening, type ListenOptions, listen } from "./listen.ts";
export { type RtcOptions, rtcDefaults } from "./rtc-routes.ts";
export { openRunner, type Runner, type RunnerOptions } from "./run-lane.ts";
export { type SessionRuns, scoreMethod } from "./score-method.ts";
export type { BatchScorer, RowError } from "./scorer.ts";
