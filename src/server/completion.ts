/** OpenAI-compatible chat completions, built from the model's completion and the result of the round trip; whole or as stream chunks. */
import { randomUUID } from "node:crypto";
import type { Answer } from "../rtc/index.ts";
import { isObject } from "./json.ts";

/** Why a response is withheld. */
export const reasons = ["below_threshold", "no_score", "empty_response"] as const;

/** The result of a round trip, in the response's headers and as `codescore_rtc` in its body. */
export interface TripReport {
  readonly passed: boolean;
  /** Similarity of R and R1 in [0, 1]; null if there is none. */
  readonly score: number | null;
  readonly threshold: number;
  /** The similarity's signature. */
  readonly similarity: string;
  /** Whether Q1 contains the response, so that passing proves little; null if there is no Q1. */
  readonly recited: boolean | null;
  /** Why the response is withheld; null if it passed. */
  readonly reason: (typeof reasons)[number] | null;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Completion extends Fields {
  readonly choices: readonly [Fields & { readonly message: Fields; readonly finish_reason: unknown }];
  readonly usage?: Fields;
  readonly codescore_rtc: TripReport;
}

/**
 * The completion with R if it passed, otherwise one with empty content (Sharma 2024, "Usage"). Its finish reason is `content_filter`,
 * because `stop` would mean that the model answered so. `answers` are those of all calls, Q's first; the usage is their sum.
 */
export function completionOf(model: string, answers: readonly Answer[], report: TripReport): Completion {
  const { choices, usage: _, ...head } = answers[0]!.value as { choices: Fields[]; usage?: unknown };
  const withheld = { message: { role: "assistant", content: "", refusal: null }, finish_reason: "content_filter" };
  const { message, ...choice } = report.passed ? choices[0]! : withheld;
  const usage = sum(answers.map(({ value }) => value.usage));
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model,
    ...head,
    choices: [
      {
        logprobs: null,
        finish_reason: "stop",
        ...choice,
        index: 0,
        message: { role: "assistant", refusal: null, ...(message as Fields) },
      },
    ],
    ...(usage === null ? {} : { usage }),
    codescore_rtc: report,
  };
}

/** The stream chunks of a completion: the role, the content, the end with the report, and the usage if requested. */
export function chunksOf(completion: Completion, includeUsage: boolean): readonly object[] {
  const { choices, usage = null, codescore_rtc, ...rest } = completion;
  const [{ message, finish_reason }] = choices;
  const head = { ...rest, object: "chat.completion.chunk" };
  const chunk = (delta: object, end: object = {}) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...end }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const { role, ...said } = Object.fromEntries(Object.entries(message).filter(([, value]) => !nothing(value)));
  return [
    chunk({ role, content: "", refusal: null }),
    ...(Object.keys(said).length > 0 ? [chunk(said)] : []),
    { ...chunk({}, { finish_reason }), codescore_rtc },
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ];
}

/** Whether a field of a message is empty. */
const nothing = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Sums all numbers by name, at any depth; null if no call reported its usage. */
function sum(usages: readonly unknown[]): Fields | null {
  const objects = usages.filter(isObject);
  if (objects.length === 0) return null;
  const names = [...new Set(objects.flatMap((usage) => Object.keys(usage)))];
  return Object.fromEntries(
    names.map((name) => {
      const values = objects.map((usage) => usage[name]);
      const numbers = values.filter((value): value is number => typeof value === "number");
      return [name, numbers.length > 0 ? numbers.reduce((total, value) => total + value, 0) : sum(values)];
    }),
  );
}
