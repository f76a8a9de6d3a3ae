/** The parts of the OpenAPI document about running candidates. */
import { RUN_DEFAULTS } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { object, ref, share, text } from "./openapi-parts.ts";
import type { RowLimits } from "./rows.ts";
import { runCost } from "./run-queue.ts";
import { LEAST_WIDTH, MOST_SEED } from "./run-request.ts";

const prime = (end: string): string =>
  `def is_prime(n):\n    return n > 1 and all(n % i for i in range(2, int(n ** 0.5)${end}))\n`;

/** Tests post this example to a server that runs candidates. */
export const runExample = {
  summary: "Two candidates of one task, run on inputs generated from the reference",
  value: {
    rows: [prime(""), prime(" + 1")].map((candidate, i) => {
      const task = { task_id: "is_prime", entry_point: "is_prime", description: "Is n prime?" };
      return { id: `sample-${i}`, ...task, candidate, reference: prime(" + 1") };
    }),
    run: true,
    inputs: 20,
  },
};

/** Request fields. */
export function runFields({ runs, maxInputs, maxRun, maxJointChars }: RowLimits) {
  const what =
    "Whether to run the candidates, too, in a sandbox, on inputs generated from the reference, the description and the " +
    "candidates. The result is part of the score and the interval. Rows with the same `task_id` are compared with each " +
    `other. Not with \`consensus\`. At most ${counted(maxRun, "row")} and ${maxJointChars} characters per request. In the rate limit ` +
    `a row counts as ${runCost(1, { inputs: maxInputs, seed: 0 })} more rows with ${counted(maxInputs, "input")}, and proportionally less with fewer.`;
  const not =
    "This server does not run candidates: `true` gets 403. A server started with `codescore serve --run` does.";
  return {
    run: { type: "boolean", default: false, description: runs ? what : not },
    ...(runs && {
      inputs: {
        type: "integer",
        minimum: 0,
        maximum: maxInputs,
        default: Math.min(RUN_DEFAULTS.inputs, maxInputs),
        description: "With `run`: maximum number of inputs per task; 0: only the description's examples are run",
      },
      seed: {
        type: "integer",
        minimum: 0,
        maximum: MOST_SEED,
        default: 0,
        description: "With `run`: seed of the inputs",
      },
      until: {
        type: "number",
        minimum: LEAST_WIDTH,
        maximum: 1,
        description: "With `run`: stop as soon as the interval is at most this wide",
      },
    }),
  };
}

const count = { type: "integer", minimum: 0 } as const;
/** Longer texts end in `…`. */
const short = { ...text, maxLength: 2000 } as const;
const perhaps = (schema: object, description: string) => ({ anyOf: [schema, { type: "null" }], description });

/** Fields of a row's answer. */
export const runAnswers = {
  pass: { ...share, description: "With `run`: probability that it passes every test" },
  behaviour: { ...ref("Behaviour"), description: "With `run`: the results of running it" },
};

export const runSchemas = {
  Behaviour: object(
    {
      agree: perhaps(
        share,
        "Weighted share of the inputs on which it answers like the reference; null without a reference",
      ),
      inputs: { ...count, description: "Number of inputs that it ran on" },
      examples: perhaps(
        object({ passed: count, total: count }),
        "Examples in the description that it passes; null if the description has none",
      ),
      samples: perhaps(share, "Mean share of the task's other candidates that give the same answer"),
      source: {
        enum: ["reference", "samples", "examples", null],
        description: "What its answers were compared with; null if nothing was run",
      },
      counterexample: perhaps(ref("Counterexample"), "The smallest input found on which its answer is wrong"),
      constant: {
        type: "boolean",
        description: "The reference gave the same answer to every input, so agreement with it shows little",
      },
      reason: { ...text, description: "Why nothing was run, or why the run is inconclusive" },
    },
    ["agree", "inputs", "examples", "samples", "source", "counterexample"],
  ),
  Counterexample: {
    ...object(
      {
        input: short,
        expected: short,
        got: short,
        unusual: {
          type: "boolean",
          description: "The task may not define the answer to this input; on usual inputs the two agree",
        },
        afterOtherCalls: {
          type: "boolean",
          description: "The answer is wrong only after other calls in the same process",
        },
      },
      ["input", "expected", "got"],
    ),
    description: "Short texts for people: the call or the text that was read, and both answers",
  },
};
