/** The server's interface as OpenAPI 3.1. Tests hold it and the routes of app.ts together, and post its examples. */
import { errorCodes } from "./answers.ts";
import { MAX_STATEMENTS } from "./explained.ts";
import { answer, error, json, object, ref, share, text } from "./openapi-parts.ts";
import { rtcPaths, rtcSchemas } from "./openapi-rtc.ts";
import { runAnswers, runExample, runFields, runSchemas } from "./openapi-run.ts";
import { MOST_ENTRY_CHARS, type RowLimits } from "./rows.ts";

const mean = {
  candidate: "def mean(xs):\n    return sum(xs) / len(xs)\n",
  reference: "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0\n",
  description: "The mean of a list of numbers; 0 for an empty list.",
};
const scoreExamples = {
  one: { summary: "One candidate, all that is known of the task", value: { rows: [{ id: "mean-1", ...mean }] } },
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
  explained: { summary: "What each line does to the score", value: { rows: [mean], explain: true } },
  samples: {
    summary: "Samples of one task without a reference, with how far they agree",
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
    "400": error("The body is no JSON, or not of this form"),
    ...refused,
    "408": error("The request did not come whole in time"),
    "413": error(`The body has more than ${maxBodyBytes} bytes`),
    "415": error("The body is not called application/json, or is packed"),
    "429": {
      ...error(
        "Too many rows wait already to be scored or run, their bodies are too long together, or this client sent too many",
      ),
      headers: { "Retry-After": { description: "Seconds to wait", schema: { type: "integer", minimum: 1 } } },
    },
    "500": error("The server failed; its log says how, under the answer's X-Request-Id"),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "codescore",
      version: "1",
      description:
        "Predicts what executing a Python program would show. Every answer carries an X-Request-Id: the request's own, or " +
        "a new one. Every error is `{error: {code, message}}`, with OpenAI's `type` and `param` too on the routes of its " +
        "clients; so is the answer to a method (405) or path (404) that is not listed.",
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
            "200": answer("One result a row, in order", ref("ScoreResponse")),
            ...failures,
            ...(runs ? {} : { "403": error("Candidates were to be run, and this server runs none") }),
          },
          ...security,
        },
      },
      "/v1/similarity": {
        post: {
          operationId: "similarity",
          summary: "How alike a candidate is to a reference in what it does",
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
      schemas: { ...schemas(options), ...(runs ? runSchemas : {}), ...(withRtc ? rtcSchemas : {}) },
      ...(withKey ? { securitySchemes: { key: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

function schemas(limits: RowLimits) {
  const { maxRows, maxExplained, maxConsensus, maxChars, maxJointChars, runs } = limits;
  const program = { ...text, maxLength: maxChars };
  const optional = { type: ["string", "null"], maxLength: maxChars };
  const id = { type: ["string", "number"] };
  const fields = {
    candidate: { ...program, description: "A whole Python program, or an answer in Markdown with one in a fence" },
    reference: { ...optional, description: "A correct program" },
    description: { ...optional, description: "What the program should do" },
    language: {
      type: ["string", "null"],
      description: "What the programs are written in, where that is known; only Python is scored",
    },
  };
  return {
    Row: {
      description: "At least one of reference and description is wanted.",
      ...object(
        {
          id: { type: ["string", "number", "null"], description: "Default: the row's index" },
          task_id: {
            type: ["string", "number", "null"],
            description:
              "With `consensus` and `run`: rows of one task are candidates for the same job. Default: rows of one description, with `run` of one reference too",
          },
          entry_point: {
            type: ["string", "null"],
            maxLength: MOST_ENTRY_CHARS,
            description: "With `run`: the function that is called (`f`, `Solution().f`). Default: found out",
          },
          ...fields,
        },
        ["candidate"],
      ),
      additionalProperties: false,
    },
    ScoreRequest: {
      ...object(
        {
          rows: { type: "array", minItems: 1, maxItems: maxRows, items: ref("Row") },
          explain: {
            type: "boolean",
            default: false,
            description:
              `Whether to say what each line does to the score. Costs a score a statement, the first ${MAX_STATEMENTS} ` +
              `of each row; at most ${maxExplained} rows and ${maxJointChars} characters a request. Of a client's rate it ` +
              "takes a row for each line.",
          },
          consensus: {
            type: "boolean",
            default: false,
            description:
              "Whether half of a score without a reference is to be how far the program agrees with the others of its " +
              `task; not with \`explain\`; at most ${maxConsensus} rows and ${maxJointChars} characters a request.`,
          },
          ...runFields(limits),
        },
        ["rows"],
      ),
      additionalProperties: false,
    },
    Score: object(
      {
        id,
        score: { ...share, description: "Predicted share of tests passed" },
        low: { ...share, description: "Lower end of the interval that the score lies in; with a calibrated model" },
        high: { ...share, description: "Its upper end" },
        abstained: { type: "boolean", description: "The interval is too wide for the score to say much" },
        exec: { ...share, description: "Probability that it runs to an answer" },
        consensus: { ...share, description: "With `consensus`: agreement with the other candidates of the task" },
        ...(runs && runAnswers),
        conclusion: {
          enum: ["fails", "looks-right", "behaves-right", "unknown"],
          description:
            "What the score goes by: seen or shown to fail; resemblance, since nothing ran; what running showed; none of these",
        },
        reason: { ...text, description: "Why, with the line or the input where there is one" },
        format: { enum: ["ref", "nl", "ref+nl"], description: "What was looked at beside the candidate" },
        cut: {
          ...object({ candidate: tokens, reference: tokens, description: tokens }),
          description: "Tokens cut from each part; absent when nothing was",
        },
        notes,
        signature: { ...text, description: "Names model, format, length and version" },
        findings: {
          type: "array",
          items: ref("Finding"),
          description: "What it fails by for certain; with `explain`: all that is seen",
        },
        lines: { type: "array", items: ref("LineEffect"), description: "With `explain`" },
        differences: {
          type: "array",
          items: ref("Difference"),
          description: "With `explain`: where candidate and reference differ, names of variables aside",
        },
      },
      ["id", "score", "exec", "format", "signature"],
    ),
    Finding: object(
      {
        line: {
          type: ["integer", "null"],
          minimum: 1,
          description: "In the candidate; null where it is no line's alone",
        },
        what: text,
        certain: { const: true, description: "With it no test can pass, as far as is seen" },
      },
      ["line", "what"],
    ),
    LineEffect: object({
      line: { type: "integer", minimum: 1, description: "First line of the statement in the candidate" },
      text: { ...text, description: "Its lines" },
      effect: {
        type: "number",
        minimum: -1,
        maximum: 1,
        description: "Score of the whole less the score without it: a negative one lowers the score",
      },
    }),
    SourceLine: object({
      line: { type: "integer", minimum: 1, description: "First line of the statement" },
      text: { ...text, description: "Its lines" },
    }),
    Difference: object({
      candidate: { anyOf: [ref("SourceLine"), { type: "null" }] },
      reference: { anyOf: [ref("SourceLine"), { type: "null" }] },
    }),
    RowError: object({ id, error: ref("Failure") }),
    ScoreResponse: object({ rows: { type: "array", items: { anyOf: [ref("Score"), ref("RowError")] } } }),
    SimilarityRequest: {
      ...object({ ...fields, reference: { ...program, description: "The program to be alike to" } }, [
        "reference",
        "candidate",
      ]),
      additionalProperties: false,
    },
    SimilarityResponse: object({ similarity: share, signature: text, notes }, ["similarity", "signature"]),
    Health: object(
      {
        status: { const: "ok" },
        signature: text,
        ...(runs && { runs: { ...object({ sandbox: text, python: text }), description: "Where candidates are run" } }),
      },
      ["status", "signature"],
    ),
    Failure: object({ code: { enum: errorCodes }, message: text }),
    Error: object({ error: ref("Failure") }),
  };
}

const notes = {
  type: "array",
  items: text,
  minItems: 1,
  description: "What was made of the texts, such as a program taken out of a fence; absent for plain programs",
};

const tokens = { type: "integer", minimum: 0 };
