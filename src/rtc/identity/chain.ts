/**
 * A chain of identity transformations (Min et al. 2024, sections 3.2 and 4.2): a program is written from a description, described,
 * written again from that, and so on, always by greedy decoding. Where a step repeats the one before, all later ones would too.
 */
import type { Llm, Message } from "../llm/llm.ts";
import { copiesExample } from "../trip/recited.ts";
import type { Asker } from "../trip/sample.ts";
import type { SamplingOptions } from "../trip/trip.ts";

/** What goes along a chain, and how it is put to a model. */
export interface ChainTask {
  readonly id: string;
  /** NL_0. */
  readonly description: string;
  /** Asks for a program; the function's name is hidden after step 0. */
  write(description: string, step: number): readonly Message[];
  /** Asks for a description of a program that `place` made. */
  describe(program: string): Promise<readonly Message[]>;
  /** The description in what a model said. */
  read(answer: string): string;
  /** The whole program in what a model said, under the function's own name; empty when there is no code. */
  place(answer: string, step: number): Promise<string>;
  /** The program to execute, where it is another: recordings are executed as they were. @default what `place` gives */
  run?(answer: string, description: string, step: number): Promise<string>;
}

export interface ChainStep {
  /** From 0. */
  readonly step: number;
  /** NL: what the program was written from. */
  readonly description: string;
  readonly answer: string;
  /** PL, as it is compared and described. */
  readonly program: string;
  /** PL, as it is executed. */
  readonly executed: string;
  /** What is the same as in the step before, so that the chain ends here and is taken to repeat for ever. */
  readonly repeats: "description" | "program" | null;
  /** The description is that of an example in the prompt; only where it is. */
  readonly copied?: true;
}

export interface Chain {
  readonly id: string;
  readonly steps: readonly ChainStep[];
  /** `repeats` and `whole`: every step is known. `empty`: an answer without code ended it. `missing`: a call failed. */
  readonly end: "repeats" | "whole" | "empty" | "missing";
}

/** Greedy; room for a docstring with examples, and for a program. */
export const chainSampling: ChainSampling = {
  forward: { samples: 1, temperature: 0, maxTokens: 512 },
  backward: { samples: 1, temperature: 0, maxTokens: 1024 },
};

/** How a model is asked along a chain; one sample of each. */
export interface ChainSampling {
  readonly forward: SamplingOptions;
  readonly backward: SamplingOptions;
}

/**
 * Follows a chain for `length` steps after step 0. In recordings, a sample's number is its step. Only greedy decoding says that a step
 * that repeats the one before goes on so for ever: at a temperature every step is asked for.
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
      // The first program was written under the function's own name, so only from step 2 on is the question the same.
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
