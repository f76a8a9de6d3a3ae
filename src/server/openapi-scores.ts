/** Request and response schemas of `/v1/score` and `/v1/similarity` for the OpenAPI document. */

import { MOST_ENTRY_CHARS } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { errorCodes } from "./answers.ts";
import { MAX_STATEMENTS } from "./explained.ts";
import { object, ref, share, text } from "./openapi-parts.ts";
import { runAnswers, runFields } from "./openapi-run.ts";
import type { RowLimits } from "./rows.ts";

export function scoreSchemas(limits: RowLimits) {
  const { maxRows, maxExplained, maxConsensus, maxChars, maxJointChars, runs } = limits;
  const program = { ...text, maxLength: maxChars };
  const optional = { type: ["string", "null"], maxLength: maxChars };
  const id = { type: ["string", "number"] };
  const fields = {
    candidate: {
      ...program,
      description: "A complete Python program, or an answer in Markdown that contains one in a fence",
    },
    reference: { ...optional, description: "A correct program" },
    description: { ...optional, description: "What the program should do" },
    language: {
      type: ["string", "null"],
      description: "Language of the programs, if known; only Python is scored",
    },
  };
  return {
    Row: {
      description: "At least one of reference and description is required.",
      ...object(
        {
          id: { type: ["string", "number", "null"], description: "Default: the row's index" },
          task_id: {
            type: ["string", "number", "null"],
            description:
              "With `consensus` and `run`: rows with the same id are candidates for one task. Default: rows with the same description, and with `run` the same reference",
          },
          entry_point: {
            type: ["string", "null"],
            maxLength: MOST_ENTRY_CHARS,
            description: "With `run`: the function to call (`f`, `Solution().f`). Default: detected",
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
              `Whether to give the effect of each line on the score. It costs one score per statement, for the first ${MAX_STATEMENTS} ` +
              `of each row. At most ${counted(maxExplained, "row")} and ${maxJointChars} characters per request. In the rate limit ` +
              "each statement counts as one more row.",
          },
          consensus: {
            type: "boolean",
            default: false,
            description:
              "Whether half of a score without a reference is the program's agreement with the other programs of its " +
              `task. Not with \`explain\`. At most ${counted(maxConsensus, "row")} and ${maxJointChars} characters per request.`,
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
        low: { ...share, description: "Lower end of the interval of the score; only with a calibrated model" },
        high: { ...share, description: "Upper end of the interval" },
        abstained: { type: "boolean", description: "The interval is too wide, so the score is not reliable" },
        exec: { ...share, description: "Probability that it runs to an answer" },
        consensus: { ...share, description: "With `consensus`: agreement with the other candidates of the task" },
        ...(runs && runAnswers),
        conclusion: {
          enum: ["fails", "looks-right", "behaves-right", "unknown"],
          description:
            "What the score is based on: a fault that was found or shown; resemblance, because nothing was executed; a run without a fault; none of these, or a doubtful line",
        },
        reason: { ...text, description: "The reason, with the line or the input if there is one" },
        format: { enum: ["ref", "nl", "ref+nl"], description: "What the candidate was compared with" },
        cut: {
          ...object({ candidate: tokens, reference: tokens, description: tokens }),
          description: "Number of tokens cut from each part; absent if none were",
        },
        notes,
        signature: { ...text, description: "Names model, format, length and the version of codescore" },
        findings: {
          type: "array",
          items: ref("Finding"),
          description: "Faults that make it fail for certain; with `explain`: all faults found",
        },
        lines: { type: "array", items: ref("LineEffect"), description: "With `explain`" },
        differences: {
          type: "array",
          items: ref("Difference"),
          description: "With `explain`: where candidate and reference differ; names of variables do not count",
        },
      },
      ["id", "score", "exec", "format", "signature"],
    ),
    Finding: object(
      {
        line: {
          type: ["integer", "null"],
          minimum: 1,
          description: "Line in the candidate; null if no single line is responsible",
        },
        what: text,
        certain: { const: true, description: "The analysis concludes that no test can pass" },
      },
      ["line", "what"],
    ),
    LineEffect: object({
      line: { type: "integer", minimum: 1, description: "First line of the statement in the candidate" },
      text: { ...text, description: "Lines of the statement" },
      effect: {
        type: "number",
        minimum: -1,
        maximum: 1,
        description:
          "Score of the whole program minus the score without the statement; negative if it lowers the score",
      },
    }),
    SourceLine: object({
      line: { type: "integer", minimum: 1, description: "First line of the statement" },
      text: { ...text, description: "Lines of the statement" },
    }),
    Difference: object({
      candidate: { anyOf: [ref("SourceLine"), { type: "null" }] },
      reference: { anyOf: [ref("SourceLine"), { type: "null" }] },
    }),
    RowError: object({ id, error: ref("Failure") }),
    ScoreResponse: object({ rows: { type: "array", items: { anyOf: [ref("Score"), ref("RowError")] } } }),
    SimilarityRequest: {
      ...object({ ...fields, reference: { ...program, description: "The program to compare with" } }, [
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
  description:
    "How the texts were changed before scoring, such as a program taken out of a fence; absent for plain programs",
};

const tokens = { type: "integer", minimum: 0 };
