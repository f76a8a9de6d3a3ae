/** What the page asks of its server, and what comes back. */
import type { Finding, Score } from "../../types.ts";
import type { Programs } from "./link.ts";

interface Source {
  readonly line: number;
  readonly text: string;
}

/** As `Difference` of score/differences.ts, which a browser cannot load. */
export interface Difference {
  readonly candidate: Source | null;
  readonly reference: Source | null;
}

/** What `explain` adds to a row; as `Explanation` of score/explain.ts. */
export interface Explained extends Score {
  readonly findings: readonly Finding[];
  readonly lines: readonly (Source & { readonly effect: number })[];
  readonly differences: readonly Difference[];
}

/** What is wrong with a row, a request or the key, to be shown. */
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
