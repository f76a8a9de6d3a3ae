/**
 * Chains in the format of IdentityChain's release, one JSON line per problem: `NL_0, PL_0, NL_1, PL_1, ...`, the tests with the
 * reference's outputs, the contract, and the result of each test (`PL_0_results, ...`). Programs are assembled as in the release:
 * the signature, the description as docstring, the body as the model wrote it.
 */
import { CodescoreError } from "../../errors.ts";
import type { Problem, TestCase } from "../../types.ts";
import { type JsonLine, readJsonLines, stringField } from "../../util/jsonl.ts";
import type { Llm } from "../llm/llm.ts";
import { renameFunction } from "./mask.ts";
import { frameOf, type IdentityTask, type IdentityTasks, placeUnmasked } from "./tasks.ts";

export interface RecordedChains extends IdentityTasks {
  /** Gives the recorded answers. */
  readonly llm: Llm;
  /** Number of steps after step 0 in the longest chain. */
  readonly length: number;
}

/** Reads a file of recorded chains. @throws `CodescoreError("input")` with file and line for a malformed row */
export async function readRecordedChains(path: string): Promise<RecordedChains> {
  const tasks: IdentityTask[] = [];
  const said = new Map<string, string>();
  let length = 0;
  for await (const line of readJsonLines(path)) {
    const task = await readChain(line, said);
    tasks.push(task);
    length = Math.max(length, (task.recorded?.length ?? 0) - 1);
  }
  const llm: Llm = {
    name: "recorded",
    recorded: true,
    complete: async ({ about: { taskId, direction, first } }) => {
      const text = said.get(key(taskId, direction, first));
      return text === undefined ? [] : [text];
    },
  };
  return { tasks, skipped: [], prompts: {}, llm, length };
}

async function readChain(line: JsonLine, said: Map<string, string>): Promise<IdentityTask> {
  const id = stringField(line, "task_id");
  const name = stringField(line, "function_name");
  const signature = stringField(line, "function_signature");
  const first = stringField(line, "NL_0");
  const problem: Problem = {
    id,
    description: first,
    prompt: signature,
    entryPoint: name,
    references: [],
    tests: testsOf(line),
    setup: "",
    contract: stringField(line, "contract"),
    source: "identitychain",
  };
  const frame = await frameOf(problem);
  if (typeof frame === "string") throw new CodescoreError("input", `${line.where}: \`function_signature\`: ${frame}`);
  const recorded: string[][] = [];
  for (let step = 0; line.value[`PL_${step}`] !== undefined; step++) {
    if (step > 0) said.set(key(id, "forward", step), stringField(line, `NL_${step}`));
    said.set(key(id, "backward", step), stringField(line, `PL_${step}`));
    recorded.push(resultsOf(line, `PL_${step}_results`, problem.tests.length));
  }
  return {
    problem,
    header: frame.header,
    recorded,
    chain: {
      id,
      description: first,
      write: () => [],
      describe: async () => [],
      read: (answer) => answer,
      place: (answer, step) => placeUnmasked(frame, answer, step),
      run: async (answer, description, step) =>
        step === 0
          ? `${first}${answer}\n`
          : renameFunction(`${signature}${description}\n${answer}\n`, frame.masked.entry!, name),
    },
  };
}

function testsOf({ value, where }: JsonLine): TestCase[] {
  const { tests, atol } = value;
  if (!Array.isArray(tests) || typeof atol !== "number") {
    throw new CodescoreError("input", `${where}: expected a list \`tests\` and a number \`atol\``);
  }
  return tests.map((test: unknown, i) => {
    const { input, output } = (test ?? {}) as Record<string, unknown>;
    if (typeof input !== "string" || typeof output !== "string") {
      throw new CodescoreError("input", `${where}: expected test ${i} to have texts \`input\` and \`output\``);
    }
    return { id: `test-${i}`, origin: "given", kind: "call", args: input, expected: output, tolerance: atol };
  });
}

function resultsOf({ value, where }: JsonLine, field: string, tests: number): string[] {
  const results: unknown = value[field];
  if (Array.isArray(results) && results.length === tests && results.every((text) => typeof text === "string")) {
    return results as string[];
  }
  throw new CodescoreError("input", `${where}: expected \`${field}\` to be ${tests} texts, one per test`);
}

const key = (id: string, direction: string, step: number): string => JSON.stringify([id, direction, step]);
