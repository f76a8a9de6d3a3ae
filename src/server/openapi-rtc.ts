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
    summary: "Text in parts, an earlier answer as it came",
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
  "x-codescore-rtc-score": header("Similarity of the two responses; left out where there is none", share),
  "x-codescore-rtc-threshold": header("The score from which on a response passes", share),
  "x-codescore-rtc-similarity": header("The similarity's signature", text),
  "x-codescore-rtc-recited": header("Whether the other query hands the response through", { type: "boolean" }),
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
    default: { description: "What the upstream answered, as it is" },
  };
  const models = (operationId: string) => ({
    get: {
      operationId,
      summary: "The upstream's models, as it lists them",
      responses: { "200": answer("As the upstream answers", { type: "object" }), ...upstream },
      ...security,
    },
  });
  return {
    "/v1/chat/completions": {
      post: {
        operationId: "chat",
        summary: "Goes to the upstream and back as it is; streams as they come",
        requestBody: { required: true, ...json({ type: "object", description: "As the upstream takes it" }) },
        responses: {
          "200": {
            description: "As the upstream answers",
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
          "Costs three calls of the upstream, whose usage is summed. A stream begins when the result is there, or, without " +
          "the headers of the round trip, with comments that keep clients waiting; `codescore_rtc` is then in its last chunk with a choice.",
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
          finish_reason: { ...text, description: "content_filter where the round trip did not pass" },
        }),
      },
      usage: { type: "object", description: "Of all calls together" },
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
