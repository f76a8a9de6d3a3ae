/** The server's OpenAPI 3.1 document. Tests check that it matches the routes of app.ts, and post its examples. */
import { answer, error, json, ref, text } from "./openapi-parts.ts";
import { rtcPaths, rtcSchemas } from "./openapi-rtc.ts";
import { runExample, runSchemas } from "./openapi-run.ts";
import { scoreSchemas } from "./openapi-scores.ts";
import type { RowLimits } from "./rows.ts";

const mean = {
  candidate: "def mean(xs):\n    return sum(xs) / len(xs)\n",
  reference: "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0\n",
  description: "The mean of a list of numbers; 0 for an empty list.",
};
const scoreExamples = {
  one: { summary: "One candidate with reference and description", value: { rows: [{ id: "mean-1", ...mean }] } },
  several: {
    summary: "A candidate with a reference, one with a description, one that cannot be scored",
    value: {
      rows: [
        { candidate: mean.candidate, reference: mean.reference },
        { candidate: mean.candidate, description: mean.description },
        { candidate: mean.candidate },
      ],
    },
  },
  explained: { summary: "The effect of each line on the score", value: { rows: [mean], explain: true } },
  samples: {
    summary: "Samples of one task without a reference, with their agreement",
    value: {
      rows: [mean.candidate, mean.reference, "def mean(xs):\n    return max(xs)\n"].map((candidate, i) => {
        return { id: `sample-${i}`, task_id: "mean", candidate, description: mean.description };
      }),
      consensus: true,
    },
  },
};
const pairExamples = { pair: { value: { reference: mean.reference, candidate: mean.candidate } } };

export interface DocumentOptions extends RowLimits {
  readonly maxBodyBytes: number;
  readonly withKey: boolean;
  readonly withRtc: boolean;
}

export function openApi(options: DocumentOptions) {
  const { maxBodyBytes, withKey, withRtc, runs } = options;
  const security = withKey ? { security: [{ key: [] }] } : {};
  const refused = withKey ? { "401": error("The key is missing or wrong") } : {};
  const failures = {
    "400": error("The body is not JSON, or does not have this form"),
    ...refused,
    "408": error("The request was not complete in time"),
    "413": error(`The body has more than ${maxBodyBytes} bytes`),
    "415": error("The Content-Type is not application/json, or the body is compressed"),
    "429": {
      ...error("Too many rows are waiting, their bodies are too long together, or this client sent too many"),
      headers: { "Retry-After": { description: "Seconds to wait", schema: { type: "integer", minimum: 1 } } },
    },
    "500": error("The server failed; its log has the error under the answer's X-Request-Id"),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "codescore",
      version: "1",
      description:
        "Predicts the result of executing a Python program. Every answer has an X-Request-Id: that of the request, or a new " +
        "one. Every error is `{error: {code, message}}`, also for methods (405) and paths (404) that are not listed. On the " +
        "routes for OpenAI's clients errors also have `type` and `param`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths: {
      "/v1/score": {
        post: {
          operationId: "score",
          summary: "Score candidates; rows that cannot be scored have an error in their place",
          requestBody: {
            required: true,
            ...json(ref("ScoreRequest"), runs ? { ...scoreExamples, run: runExample } : scoreExamples),
          },
          responses: {
            "200": answer("One result per row, in order", ref("ScoreResponse")),
            ...failures,
            ...(runs ? {} : { "403": error("The request asks to run candidates, but this server does not run any") }),
          },
          ...security,
        },
      },
      "/v1/similarity": {
        post: {
          operationId: "similarity",
          summary: "How similar the behaviour of a candidate is to that of a reference",
          requestBody: { required: true, ...json(ref("SimilarityRequest"), pairExamples) },
          responses: {
            "200": answer("The similarity", ref("SimilarityResponse")),
            ...failures,
            "422": error("The pair cannot be scored"),
          },
          ...security,
        },
      },
      "/healthz": {
        get: {
          operationId: "health",
          summary: "Whether rows can be scored",
          responses: {
            "200": answer("They can", ref("Health")),
            "503": error("They cannot: the model's threads have died and none can be started"),
          },
        },
      },
      "/metrics": {
        get: {
          operationId: "metrics",
          summary: "Counters for Prometheus",
          responses: {
            "200": { description: "Text format 0.0.4", content: { "text/plain": { schema: text } } },
            ...refused,
          },
          ...security,
        },
      },
      "/openapi.json": {
        get: {
          operationId: "document",
          summary: "This document",
          responses: { "200": answer("OpenAPI 3.1", { type: "object" }) },
        },
      },
      "/": {
        get: {
          operationId: "page",
          summary: "A page to score by hand",
          responses: { "200": { description: "The page", content: { "text/html": { schema: text } } } },
        },
      },
      ...(withRtc ? rtcPaths({ failures, refused, security }) : {}),
    },
    components: {
      schemas: { ...scoreSchemas(options), ...(runs ? runSchemas : {}), ...(withRtc ? rtcSchemas : {}) },
      ...(withKey ? { securitySchemes: { key: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}
