/**
 * Retries requests that fail temporarily, with growing pauses or after the time in `Retry-After`. Node's fetch uses
 * proxies only if Node is told to (NODE_USE_ENV_PROXY, Node 24). Source: RFC 9110, 10.2.3.
 */
import { setTimeout as pause } from "node:timers/promises";
import { CodescoreError, messageOf } from "../errors.ts";

export interface RetryOptions {
  /** Maximum number of consecutive attempts without progress. @default 5 */
  readonly attempts?: number;
  /** The first pause, in ms. Each is twice the previous one, up to 60 s. @default 1000 */
  readonly pauseMs?: number;
  /** Milliseconds without data after which a connection is aborted. @default 60_000 */
  readonly silenceMs?: number;
  /** Called before each pause, with what happened. */
  readonly onRetry?: (message: string) => void;
}

const MAX_PAUSE_MS = 60_000;

/** Statuses of temporary failures: time-outs, too many requests, server errors. */
const passing = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

/** A temporary failure of an attempt. `afterMs`: the pause that the server asks for. */
export class Passing extends Error {
  readonly afterMs: number | null;

  constructor(message: string, afterMs: number | null = null) {
    super(message);
    this.afterMs = afterMs;
  }
}

/**
 * Repeats an attempt until it does not throw `Passing`, or until `attempts` consecutive ones made no progress: `reached` measures it.
 * Throws `CodescoreError("environment")`, whose message begins with `failure`.
 */
export async function persist<T>(
  failure: string,
  { attempts = 5, pauseMs = 1000, onRetry = () => {} }: RetryOptions,
  attempt: () => Promise<T>,
  reached: () => Promise<number> = async () => 0,
): Promise<T> {
  for (let failed = 0; ; ) {
    const before = await reached();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      failed = (await reached()) > before ? 1 : failed + 1;
      if (failed >= attempts) {
        throw new CodescoreError(
          "environment",
          `${failure}: ${error.message} (${attempts} attempts); repeat the call to continue where it stopped`,
          { cause: error },
        );
      }
      const wait = error.afterMs ?? Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (failed - 1));
      onRetry(`${error.message}; trying again in ${(wait / 1000).toFixed(wait < 10_000 ? 1 : 0)} s`);
      await pause(wait);
    }
  }
}

/**
 * Runs `use` with a signal that aborts after `silenceMs` without a call of `heard`. Errors of fetch become `Passing`;
 * a `CodescoreError` and errors of the file system are unchanged.
 */
export async function listening<T>(
  { silenceMs = 60_000 }: RetryOptions,
  use: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let silence: NodeJS.Timeout | undefined;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(), silenceMs);
  };
  heard();
  try {
    return await use(abort.signal, heard);
  } catch (error) {
    if (error instanceof Passing || error instanceof CodescoreError || isFileError(error)) throw error;
    throw new Passing(abort.signal.aborted ? `no data for ${silenceMs / 1000} s` : reason(error));
  } finally {
    clearTimeout(silence);
  }
}

/** Throws the error for an unsuccessful status: `Passing`, or `CodescoreError("environment")` if a retry cannot help. */
export async function refuse(failure: string, response: Response): Promise<never> {
  await response.body?.cancel();
  const said = `the server answered ${response.status} ${response.statusText}`.trim();
  if (passing(response.status)) throw new Passing(said, retryAfter(response));
  throw new CodescoreError("environment", `${failure}: ${said}`);
}

/** `Retry-After` in ms, from seconds or a date; at most ten minutes. */
function retryAfter(response: Response): number | null {
  const text = response.headers.get("retry-after");
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(600_000, Math.max(0, ms)) : null;
}

/** Whether an error comes from the file system (full disk, no permission). fetch wraps network errors, so a bare system error is about a file. */
export const isFileError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

/** The reason of a failed fetch. fetch itself says only "fetch failed", and has the reason as its cause. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  if (cause?.code === "ENOTFOUND" || cause?.code === "EAI_AGAIN")
    return `its name cannot be resolved (${cause.code}); is this machine online?`;
  return cause?.code !== undefined
    ? `${cause.code}${cause.message ? `: ${cause.message}` : ""}`
    : messageOf(cause ?? error);
}
