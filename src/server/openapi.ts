/** The server's interface as OpenAPI 3.1. A test holds it and the routes of app.ts together. */

const text = { type: "string" } as const;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answer = (description: string, schema: object) => ({ description, ...json(schema) });
const error = (description: string) => answer(description, ref("Error"));

export function openApi(options: {
  readonly maxRows: number;
  readonly maxBodyBytes: number;
  readonly withKey: boolean;
}) {
  const { maxRows, maxBodyBytes, withKey } = options;
  const security = withKey ? { security: [{ key: [] }] } : {};
  const failures = {
    "400": error("The body cannot be read"),
    ...(withKey ? { "401": error("The key is missing or wrong") } : {}),
    "413": error(`The body has more than ${maxBodyBytes} bytes`),
    "415": error("The body is not called application/json"),
    "429": {
      ...error("Too many rows wait already"),
      headers: { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } },
    },
  };
  return {
    openapi: "3.1.0",
    info: { title: "codescore", version: "1", description: "Predicts what executing a Python program would show." },
    paths: {
      "/v1/score": {
        post: {
          summary: "Score candidates; rows that cannot be scored have an error in their place",
          requestBody: { required: true, ...json(ref("ScoreRequest")) },
          responses: { "200": answer("One result a row, in order", ref("ScoreResponse")), ...failures },
          ...security,
        },
      },
      "/v1/similarity": {
        post: {
          summary: "How alike a candidate is to a reference in what it does",
          requestBody: { required: true, ...json(ref("SimilarityRequest")) },
          responses: {
            "200": answer("The similarity", ref("SimilarityResponse")),
            ...failures,
            "422": error("The pair cannot be scored"),
            "500": error("Scoring failed"),
          },
          ...security,
        },
      },
      "/healthz": {
        get: { summary: "Answers while the server runs", responses: { "200": answer("Running", { type: "object" }) } },
      },
      "/metrics": {
        get: {
          summary: "Counters for Prometheus",
          responses: { "200": { description: "Text format 0.0.4", content: { "text/plain": { schema: text } } } },
          ...security,
        },
      },
      "/openapi.json": {
        get: { summary: "This document", responses: { "200": answer("OpenAPI 3.1", { type: "object" }) } },
      },
      "/": {
        get: {
          summary: "A page to score by hand",
          responses: { "200": { description: "The page", content: { "text/html": { schema: text } } } },
        },
      },
    },
    components: {
      schemas: {
        Row: {
          type: "object",
          required: ["candidate"],
          properties: {
            id: { type: ["string", "number", "null"], description: "Default: the row's index" },
            candidate: { ...text, description: "A whole Python program" },
            reference: { type: ["string", "null"], description: "A correct program" },
            description: { type: ["string", "null"], description: "What the program should do" },
          },
        },
        ScoreRequest: {
          type: "object",
          required: ["rows"],
          properties: { rows: { type: "array", minItems: 1, maxItems: maxRows, items: ref("Row") } },
        },
        Score: {
          type: "object",
          required: ["id", "score", "exec", "format", "signature"],
          properties: {
            id: { type: ["string", "number"] },
            score: { type: "number", minimum: 0, maximum: 1, description: "Predicted share of tests passed" },
            exec: { type: "number", minimum: 0, maximum: 1, description: "Probability that it runs to an answer" },
            format: { enum: ["ref", "nl", "ref+nl"] },
            cut: { type: "object", description: "Tokens cut from each part; absent when nothing was" },
            signature: text,
          },
        },
        RowError: {
          type: "object",
          required: ["id", "error"],
          properties: { id: { type: ["string", "number"] }, error: ref("Failure") },
        },
        ScoreResponse: {
          type: "object",
          required: ["rows"],
          properties: { rows: { type: "array", items: { anyOf: [ref("Score"), ref("RowError")] } } },
        },
        SimilarityRequest: {
          type: "object",
          required: ["reference", "candidate"],
          properties: { reference: text, candidate: text, description: { type: ["string", "null"] } },
        },
        SimilarityResponse: {
          type: "object",
          required: ["similarity", "signature"],
          properties: { similarity: { type: "number", minimum: 0, maximum: 1 }, signature: text },
        },
        Failure: { type: "object", required: ["code", "message"], properties: { code: text, message: text } },
        Error: { type: "object", required: ["error"], properties: { error: ref("Failure") } },
      },
      ...(withKey ? { securitySchemes: { key: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}
