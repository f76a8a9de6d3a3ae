/** Reads the params of a session's methods. All functions throw `CodescoreError("usage")` that says what was expected and what was found. */
import { CodescoreError } from "../../errors.ts";
import type { Params } from "../../server/index.ts";

export function onlyParams(params: Params, known: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CodescoreError("usage", `expected the params ${known.join(", ")}, got \`${unknown.slice(0, 60)}\``);
}

/** Undefined if the param is absent or null. */
export const optional = <Value>(params: Params, name: string, read: (name: string) => Value): Value | undefined =>
  (params[name] ?? null) === null ? undefined : read(name);

export function textParam(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === "string" && value !== "") return value;
  throw wrong(name, "a string", value);
}

/** One path or several. */
export function pathsParam(params: Params, name: string): string[] {
  const value = params[name];
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (paths.length > 0 && paths.every((path) => typeof path === "string" && path !== "")) return paths as string[];
  throw wrong(name, "a path or an array of paths", value);
}

export function integerParam(params: Params, name: string, least: number): number {
  const value = params[name];
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw wrong(name, `an integer of at least ${least}`, value);
}

const wrong = (name: string, expected: string, got: unknown): CodescoreError =>
  new CodescoreError(
    "usage",
    `expected \`${name}\` to be ${expected}, got ${JSON.stringify(got)?.slice(0, 60) ?? "nothing"}`,
  );
