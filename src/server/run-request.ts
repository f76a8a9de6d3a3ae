/** Parses the run settings of a request. */
import { CodescoreError } from "../errors.ts";
import { RUN_DEFAULTS } from "../score/index.ts";
import { kindOf } from "./json.ts";
import type { Asked } from "./run-lane.ts";

export interface RunLimits {
  /** Whether this server runs candidates at all. */
  readonly runs: boolean;
  /** Maximum inputs per task in a request. */
  readonly maxInputs: number;
}

/** A request asked to run candidates, but this server runs nothing. */
export class RunRefusedError extends Error {
  override readonly name = "RunRefusedError";
}

export const RUN_FIELDS = ["run", "inputs", "seed", "until"] as const;

export const MOST_SEED = 2 ** 32 - 1;
/** Minimum interval width. A narrower one would need more inputs than are allowed. */
export const LEAST_WIDTH = 0.01;

/**
 * The run settings; null if nothing is to be run. Throws `CodescoreError("input")` for an invalid field, and `RunRefusedError` if
 * the server runs nothing.
 */
export function parseRun(body: Readonly<Record<string, unknown>>, { runs, maxInputs }: RunLimits): Asked | null {
  const { run = false, inputs = Math.min(RUN_DEFAULTS.inputs, maxInputs), seed = RUN_DEFAULTS.seed, until } = body;
  if (typeof run !== "boolean")
    throw new CodescoreError("input", `expected \`run\` to be true or false, got ${kindOf(run)}`);
  if (!run) {
    const alone = RUN_FIELDS.find((name) => name !== "run" && body[name] !== undefined);
    if (alone === undefined) return null;
    throw new CodescoreError("input", `\`${alone}\` is a setting for running candidates: it needs \`"run": true\``);
  }
  if (!runs) {
    throw new RunRefusedError(
      "this server does not run candidates; leave out `run`, or start the server with `codescore serve --run`",
    );
  }
  if (!isInteger(inputs, 0, maxInputs)) throw wrong("inputs", `an integer from 0 to ${maxInputs}`, inputs);
  if (!isInteger(seed, 0, MOST_SEED)) throw wrong("seed", `an integer from 0 to ${MOST_SEED}`, seed);
  if (until === undefined) return { inputs, seed };
  if (typeof until !== "number" || !(until >= LEAST_WIDTH && until <= 1)) {
    throw wrong("until", `a width from ${LEAST_WIDTH} to 1`, until);
  }
  return { inputs, seed, until };
}

const isInteger = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function wrong(name: string, expected: string, got: unknown): CodescoreError {
  const shown = typeof got === "number" ? String(got) : kindOf(got);
  return new CodescoreError("input", `expected \`${name}\` to be ${expected}, got ${shown}`);
}
