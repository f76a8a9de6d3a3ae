/** The OpenAPI document for the routes of rtc-routes.ts. Errors are in OpenAI's format, because its clients expect it. */
import { reasons } from "./completion.ts";
import { evaluateFields } from "./evaluate-request.ts";
import { answer, json, object, ref, share, text } from "./openapi-parts.ts";

export interface RtcDocument {
  /** Error responses of all routes with a body, by status. */
  readonly failures: Readonly<Record<string, object>>;
  /** Error responses for a missing or wrong key. */
  readonly refused: Readonly<Record<string, object>>;
  readonly security: object;
}

const failed = (description: string) => answer(description, ref("OpenAiError"));
const stream = { "text/event-stream": { schema: text } };
const header = (description: string, schema: object) => ({ description, schema });

const question = {
  model: "gpt-4o-mini",
  messages: [{ role: "user", content: "Write a Python function that gives the mean of a list." }],
};
const examples = {
  question: { value: { ...question, temperature: 0.2, max_completion_tokens: 2000 } },
  parts: {
    summary: "Text in parts, and an unchanged earlier answer",
    value: {
      ...question,
      messages: [
        { role: "developer", content: "Answer with code alone." },
        { role: "user", content: [{ type: "text", text: "A function for the mean." }] },
        { role: "assistant", content: "def mean(xs): return sum(xs) / len(xs)", refusal: null, annotations: [] },
        { role: "user", content: "Let it give 0 for an empty list." },
      ],
    },
  },
};

const tripHeaders = {
  "x-codescore-rtc-passed": header("Whether the response passed", { type: "boolean" }),
  "x-codescore-rtc-score": header("Similarity of the two responses; absent if there is none", share),
  "x-codescore-rtc-threshold": header("Minimum score of a response that passes", share),
  "x-codescore-rtc-similarity": header("The similarity's signature", text),
  "x-codescore-rtc-recited": header("Whether the other query contains the response", { type: "boolean" }),
  "x-codescore-rtc-reason": header("Why the content is empty", { enum: reasons }),
};

export function rtcPaths({ failures, refused, security }: RtcDocument) {
  const upstream = {
    ...Object.fromEntries(
      Object.entries({ ...failures, ...refused }).map(([status, value]) => [
        status,
        { ...value, ...json(ref("OpenAiError")) },
      ]),
    ),
    "502": failed("The upstream cannot be reached, cannot be read, or refused this server's key"),
    "504": failed("The upstream did not answer in time"),
    default: { description: "The upstream's answer, unchanged" },
  };
  const models = (operationId: string) => ({
    get: {
      operationId,
      summary: "The upstream's list of models",
      responses: { "200": answer("The upstream's answer", { type: "object" }), ...upstream },
      ...security,
    },
  });
  return {
    "/v1/chat/completions": {
      post: {
        operationId: "chat",
        summary: "Forwarded to the upstream and back unchanged, streams included",
        requestBody: {
          required: true,
          ...json({ type: "object", description: "Any request that the upstream accepts" }),
        },
        responses: {
          "200": {
            description: "The upstream's answer",
            content: { ...json({ type: "object" }).content, ...stream },
          },
          ...upstream,
        },
        ...security,
      },
    },
    "/v1/models": models("models"),
    "/evaluate/v1/chat/completions": {
      post: {
        operationId: "evaluate",
        summary:
          "A chat completion whose content is empty unless its round trip Q -> R -> Q1 -> R1 passes (Patched RTC)",
        description:
          "Costs three calls of the upstream; `usage` is their sum. A stream starts with the result. If that takes long, it starts " +
          "earlier with comments and lacks the headers of the round trip; `codescore_rtc` is then in its last chunk with a choice.",
        requestBody: { required: true, ...json(ref("EvaluateRequest"), examples) },
        responses: {
          "200": {
            description: "The completion",
            headers: tripHeaders,
            content: { ...json(ref("EvaluateResponse")).content, ...stream },
          },
          ...upstream,
        },
        ...security,
      },
    },
    "/evaluate/v1/models": models("evaluateModels"),
  };
}

const message = {
  ...object(
    {
      role: { enum: ["system", "developer", "user", "assistant"] },
      content: {
        anyOf: [text, { type: "array", items: object({ type: { const: "text" }, text }) }],
      },
    },
    ["role", "content"],
  ),
  description: "Other fields may be null or an empty list. The last turn is the user's.",
};

export const rtcSchemas = {
  EvaluateRequest: {
    ...object(
      {
        model: { ...text, minLength: 1 },
        messages: { type: "array", minItems: 1, items: message },
        stream: { type: ["boolean", "null"] },
        stream_options: { type: ["object", "null"] },
        ...Object.fromEntries(evaluateFields.settings.map((name) => [name, {}])),
        ...Object.fromEntries(
          Object.entries(evaluateFields.off).map(([name, values]) => [name, { enum: [null, ...values] }]),
        ),
      },
      ["model", "messages"],
    ),
    additionalProperties: false,
  },
  EvaluateResponse: object(
    {
      id: text,
      object: { const: "chat.completion" },
      created: { type: "integer" },
      model: text,
      choices: {
        type: "array",
        minItems: 1,
        maxItems: 1,
        items: object({
          index: { const: 0 },
          message: object({ role: { const: "assistant" }, content: text }),
          finish_reason: { ...text, description: "content_filter if the round trip did not pass" },
        }),
      },
      usage: { type: "object", description: "Sum over all calls" },
      codescore_rtc: ref("RoundTrip"),
    },
    ["id", "object", "created", "model", "choices", "codescore_rtc"],
  ),
  RoundTrip: object({
    passed: { type: "boolean" },
    score: { ...share, type: ["number", "null"] },
    threshold: share,
    similarity: text,
    recited: { type: ["boolean", "null"] },
    reason: { enum: [null, ...reasons] },
  }),
  OpenAiError: object({
    error: object({
      message: text,
      type: text,
      param: { type: ["string", "null"] },
      code: { type: ["string", "number", "null"] },
    }),
  }),
};
