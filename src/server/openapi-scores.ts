/** Request and response schemas of `/v1/score` and `/v1/similarity` for the OpenAPI document. */

import { counted } from "../util/counted.ts";
import { errorCodes } from "./answers.ts";
import { MAX_STATEMENTS } from "./explained.ts";
import { object, ref, share, text } from "./openapi-parts.ts";
import { runAnswers, runFields } from "./openapi-run.ts";
import { MOST_ENTRY_CHARS, type RowLimits } from "./rows.ts";

export function scoreSchemas(limits: RowLimits) {
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
              `of each row; at most ${counted(maxExplained, "row")} and ${maxJointChars} characters a request. Of a client's rate it ` +
              "takes a row for each line.",
          },
          consensus: {
            type: "boolean",
            default: false,
            description:
              "Whether half of a score without a reference is to be how far the program agrees with the others of its " +
              `task; not with \`explain\`; at most ${counted(maxConsensus, "row")} and ${maxJointChars} characters a request.`,
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
            "What the score goes by: seen or shown to fail; resemblance, since nothing ran; what running showed; none of these, or a doubtful line",
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
