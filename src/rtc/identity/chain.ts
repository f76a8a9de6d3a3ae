/**
 * A chain of identity transformations (Min et al. 2024, sections 3.2 and 4.2). A model writes a program from a description,
 * describes it, writes it again from the new description, and so on. With greedy decoding, once a step repeats the one before,
 * all later steps would.
 */
import type { Llm, Message } from "../llm/llm.ts";
import { copiesExample } from "../trip/recited.ts";
import type { Asker } from "../trip/sample.ts";
import type { SamplingOptions } from "../trip/trip.ts";

/** What a chain starts from, and the prompts for its steps. */
export interface ChainTask {
  readonly id: string;
  /** NL_0. */
  readonly description: string;
  /** The prompt for a program. The function's name is hidden after step 0. */
  write(description: string, step: number): readonly Message[];
  /** The prompt for a description of a program that `place` made. */
  describe(program: string): Promise<readonly Message[]>;
  /** Extracts the description from a model's answer. */
  read(answer: string): string;
  /** Extracts the whole program from a model's answer, under the function's original name. Empty if there is no code. */
  place(answer: string, step: number): Promise<string>;
  /** The program to execute if it differs, because recordings are executed unchanged. @default the result of `place` */
  run?(answer: string, description: string, step: number): Promise<string>;
}

export interface ChainStep {
  /** Index from 0. */
  readonly step: number;
  /** NL: the description that the program was written from. */
  readonly description: string;
  readonly answer: string;
  /** PL: the program as it is compared and described. */
  readonly program: string;
  /** PL: the program as it is executed. */
  readonly executed: string;
  /** What equals the step before. The chain ends here and is assumed to repeat forever. */
  readonly repeats: "description" | "program" | null;
  /** Present only if the description copies an example of the prompt. */
  readonly copied?: true;
}

export interface Chain {
  readonly id: string;
  readonly steps: readonly ChainStep[];
  /** `repeats` and `whole`: every step is known. `empty`: an answer without code ended the chain. `missing`: a call failed. */
  readonly end: "repeats" | "whole" | "empty" | "missing";
}

/** Greedy, with enough tokens for a docstring with examples and for a program. */
export const chainSampling: ChainSampling = {
  forward: { samples: 1, temperature: 0, maxTokens: 512 },
  backward: { samples: 1, temperature: 0, maxTokens: 1024 },
};

/** The sampling settings of a chain. Each call asks for one sample. */
export interface ChainSampling {
  readonly forward: SamplingOptions;
  readonly backward: SamplingOptions;
}

/**
 * Follows a chain for `length` steps after step 0. In recordings, a sample's number is its step.
 * Only with greedy decoding does a repeated step end the chain. At a temperature, every step is asked.
 */
export async function followChain(
  task: ChainTask,
  length: number,
  { ask }: Pick<Asker, "ask">,
  { forward, backward }: { readonly forward: Llm; readonly backward: Llm },
  sampling: ChainSampling = chainSampling,
): Promise<Chain> {
  const isGreedy = sampling.forward.temperature === 0 && sampling.backward.temperature === 0;
  const steps: ChainStep[] = [];
  const end = (how: Chain["end"]): Chain => ({ id: task.id, steps, end: how });
  for (let step = 0; step <= length; step++) {
    const before = steps.at(-1);
    let { description } = task;
    let copied = false;
    if (before !== undefined) {
      const about = { taskId: task.id, direction: "forward", first: step } as const;
      const question = await task.describe(before.program);
      const [said] = await ask(forward, sampling.forward, about, question);
      if (said === undefined) return end("missing");
      description = task.read(said);
      copied = copiesExample(question, description);
      // The first program was written under the function's original name. So an equal description is an equal prompt only from
      // step 2 on.
      if (isGreedy && step > 1 && description === before.description) {
        steps.push({ ...before, step, repeats: "description" });
        return end("repeats");
      }
    }
    const about = { taskId: task.id, direction: "backward", first: step } as const;
    const [answer] = await ask(backward, sampling.backward, about, task.write(description, step));
    if (answer === undefined) return end("missing");
    const program = await task.place(answer, step);
    const executed = task.run && program !== "" ? await task.run(answer, description, step) : program;
    const repeats = isGreedy && program !== "" && program === before?.program ? "program" : null;
    steps.push({ step, description, answer, program, executed, repeats, ...(copied && { copied }) });
    if (program === "") return end("empty");
    if (repeats) return end("repeats");
  }
  return end("whole");
}
