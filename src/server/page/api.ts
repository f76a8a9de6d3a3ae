/** Requests from the page to its server, and the answers. */
import type { Finding, Score } from "../../types.ts";
import type { Programs } from "./link.ts";

interface Source {
  readonly line: number;
  readonly text: string;
}

/** Same as `Difference` of score/differences.ts, which cannot be loaded in a browser. */
export interface Difference {
  readonly candidate: Source | null;
  readonly reference: Source | null;
}

/** The fields that `explain` adds to a row. Same as `Explanation` of score/explain.ts. */
export interface Explained extends Score {
  readonly findings: readonly Finding[];
  readonly lines: readonly (Source & { readonly effect: number })[];
  readonly differences: readonly Difference[];
}

/** An error to show: about a row, a request or the key. */
export class Refusal extends Error {
  readonly isKey: boolean;
  constructor(message: string, isKey = false) {
    super(message);
    this.isKey = isKey;
  }
}

export interface Asked {
  readonly run?: boolean;
  readonly explain?: boolean;
}

/** The server's answer for one row. Throws `Refusal`. */
export async function ask<T extends Score>(
  { candidate, reference, description }: Programs,
  key: string,
  how: Asked,
): Promise<T> {
  const given = (text: string): string | null => (text.trim() === "" ? null : text);
  const row = { candidate, reference: given(reference), description: given(description) };
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (key !== "") headers.authorization = `Bearer ${key}`;
  let response: Response;
  try {
    response = await fetch("v1/score", { method: "POST", headers, body: JSON.stringify({ rows: [row], ...how }) });
  } catch (error) {
    throw new Refusal(`No answer from the server: ${(error as Error).message}`);
  }
  const answer = (await response.json()) as { rows: [T & { error?: Failure }]; error: Failure };
  if (!response.ok) throw new Refusal(answer.error.message, response.status === 401);
  const [result] = answer.rows;
  if (result.error) throw new Refusal(result.error.message);
  return result;
}

interface Failure {
  readonly message: string;
}
