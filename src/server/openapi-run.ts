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
  summary: "Two candidates of one task, run on inputs made up from the reference",
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
    "Whether to run the candidates too, in a sandbox, on inputs made up from reference, description and the candidates " +
    "themselves. Score and interval follow from what that shows as well. Rows with one `task_id` are held against each " +
    `other; not with \`consensus\`; at most ${counted(maxRun, "row")} and ${maxJointChars} characters a request. Of a client's rate ` +
    `a row takes ${runCost(1, { inputs: maxInputs, seed: 0 })} more with ${counted(maxInputs, "input")}, and fewer in proportion.`;
  const not = "This server runs nothing: `true` gets 403. Started as `codescore serve --run` it does.";
  return {
    run: { type: "boolean", default: false, description: runs ? what : not },
    ...(runs && {
      inputs: {
        type: "integer",
        minimum: 0,
        maximum: maxInputs,
        default: Math.min(RUN_DEFAULTS.inputs, maxInputs),
        description: "With `run`: inputs of a task, at most; 0: only the description's examples are run",
      },
      seed: { type: "integer", minimum: 0, maximum: MOST_SEED, default: 0, description: "With `run`: of the inputs" },
      until: {
        type: "number",
        minimum: LEAST_WIDTH,
        maximum: 1,
        description: "With `run`: run on no more inputs than make the interval this narrow",
      },
    }),
  };
}

const count = { type: "integer", minimum: 0 } as const;
const perhaps = (schema: object, description: string) => ({ anyOf: [schema, { type: "null" }], description });

/** Fields of a row's answer. */
export const runAnswers = {
  pass: { ...share, description: "With `run`: probability that it passes every test" },
  behaviour: { ...ref("Behaviour"), description: "With `run`: what running it showed" },
};

export const runSchemas = {
  Behaviour: object(
    {
      agree: perhaps(share, "Share of the inputs on which it answers as the reference does; null without a reference"),
      inputs: { ...count, description: "Inputs that it ran on" },
      examples: perhaps(
        object({ passed: count, total: count }),
        "Examples of the description; null where it shows none",
      ),
      samples: perhaps(share, "Mean share of the task's other candidates that give the same answer"),
      source: {
        enum: ["reference", "samples", "examples", null],
        description: "What its answers were held against; null where nothing was run",
      },
      counterexample: perhaps(ref("Counterexample"), "The smallest input found on which it goes wrong"),
      reason: { ...text, description: "Why nothing was run; the score follows from the texts alone then" },
    },
    ["agree", "inputs", "examples", "samples", "source", "counterexample"],
  ),
  Counterexample: {
    ...object(
      {
        input: text,
        expected: text,
        got: text,
        unusual: { type: "boolean", description: "The task may not define the answer; on usual inputs they agree" },
      },
      ["input", "expected", "got"],
    ),
    description: "Texts to be read, cut where they are long: a call or what was read, and both answers",
  },
};
