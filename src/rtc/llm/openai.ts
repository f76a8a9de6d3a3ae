/** A model behind any server with OpenAI's `/chat/completions` or `/completions`. The calls are in openai-call.ts. */
import { messageOf } from "../../errors.ts";
import type { Llm, LlmRequest, LlmUsage, Message, Price } from "./llm.ts";
import { type CallOptions, callDefaults, OpenAiError, openAiCaller, Passing } from "./openai-call.ts";

export interface OpenAiOptions extends Omit<CallOptions, "headers"> {
  readonly model: string;
  /** `completions` is for base models. It lays out the turns as in a prompt file. @default "chat" */
  readonly api?: "chat" | "completions";
  /** For `usage.cost`. @default none */
  readonly price?: Price;
}

export const openAiDefaults = { ...callDefaults, api: "chat" } as const;

export function openAiLlm(options: OpenAiOptions): Llm & { readonly usage: LlmUsage } {
  const { model, api, price, ...calling } = { ...openAiDefaults, ...options };
  const caller = openAiCaller(api === "chat" ? "chat/completions" : "completions", calling);
  const usage: LlmUsage = Object.assign(caller.counts, { promptTokens: 0, completionTokens: 0, truncated: 0 });
  /** Maximum number of samples that the server gives per call. */
  let most = Number.POSITIVE_INFINITY;

  const call = async (request: LlmRequest, wanted: number, first: number): Promise<Answer> => {
    const post = (n: number): Promise<Answer> =>
      caller.post(requestBody(request, { api, model, n, first }), (text) => parseAnswer(text, api), request.signal);
    const n = Math.min(wanted, most);
    try {
      return await post(n);
    } catch (error) {
      // llama.cpp's server refuses an `n` above its number of slots. Every server words this differently, so try a single sample.
      if (n === 1 || !(error instanceof OpenAiError && [400, 422].includes(error.said.status))) throw error;
      const answer = await post(1).catch(() => {
        throw error;
      });
      most = 1;
      return answer;
    }
  };

  return {
    name: model,
    usage,
    complete: async (request) => {
      const samples: string[] = [];
      // A server that ignores `n` returns one choice, so ask again for the rest.
      while (samples.length < request.n) {
        const n = request.n - samples.length;
        const answer = await call(request, n, request.about.first + samples.length);
        usage.promptTokens += answer.promptTokens;
        usage.completionTokens += answer.completionTokens;
        usage.truncated += answer.truncated;
        if (price) usage.cost = costOf(usage, price);
        const isLaidOut = api === "completions" && typeof request.prompt !== "string";
        samples.push(...answer.samples.slice(0, n).map(isLaidOut ? ownTurn : (text) => text));
      }
      return samples;
    },
  };
}

const costOf = ({ promptTokens, completionTokens }: LlmUsage, { prompt, completion }: Price): number =>
  (promptTokens * prompt + completionTokens * completion) / 1e6;

function requestBody(
  { prompt, temperature, maxTokens, seed }: LlmRequest,
  { api, model, n, first }: { api: "chat" | "completions"; model: string; n: number; first: number },
): object {
  return {
    model,
    ...(api === "chat" ? { messages: turnsOf(prompt) } : completionPrompt(prompt)),
    n,
    temperature,
    max_tokens: maxTokens,
    ...(seed === undefined ? {} : { seed: seed + first }),
  };
}

/** A prompt in the format of the chat endpoint. */
export const turnsOf = (prompt: string | readonly Message[]): readonly Message[] =>
  typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;

/** Headings that end a base model's answer. It may go on with any of them, not only with the next question. */
const HEADINGS = ["user", "assistant", "system"].map((role) => `\n[${role}]`);

/** Turns as a prompt for a base model: with the headings of the prompt files, and a stop where another turn would begin. */
function completionPrompt(prompt: string | readonly Message[]): { prompt: string; stop?: string[] } {
  if (typeof prompt === "string") return { prompt };
  const turns = prompt.map(({ role, content }) => `[${role}]\n${content}\n`);
  return { prompt: `${turns.join("\n")}\n[assistant]\n`, stop: HEADINGS };
}

/** A base model's answer up to the next heading. An answer may begin with a heading, and some servers ignore `stop`. */
function ownTurn(text: string): string {
  const own = text.replace(/^\s*\[assistant\]\n/, "");
  const next = own.search(/^\[(?:user|assistant|system)\]$/m);
  return next === -1 ? own : own.slice(0, next);
}

export interface Answer {
  readonly samples: string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Samples that ended at the token limit. */
  readonly truncated: number;
  /** The whole response. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads the response to a completion. @throws `Passing`, because another try may bring a valid response */
export function parseAnswer(text: string, api: "chat" | "completions"): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Passing(`the answer is not JSON (${messageOf(error)}): ${text.slice(0, 100)}`);
  }
  const { choices, usage } = (value ?? {}) as { choices?: unknown; usage?: Record<string, unknown> };
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new Passing(`the answer has no \`choices\`: ${text.slice(0, 200)}`);
  }
  return {
    samples: choices.map((choice) => sampleOf(choice, api)),
    promptTokens: Number(usage?.prompt_tokens) || 0,
    completionTokens: Number(usage?.completion_tokens) || 0,
    truncated: choices.filter((choice) => (choice as { finish_reason?: unknown } | null)?.finish_reason === "length")
      .length,
    value: value as Readonly<Record<string, unknown>>,
  };
}

function sampleOf(choice: unknown, api: "chat" | "completions"): string {
  const { message, text } = (choice ?? {}) as { message?: { content?: unknown }; text?: unknown };
  const content = api === "chat" ? message?.content : text;
  if (typeof content === "string") return content;
  if (api === "chat" && message && (content === null || content === undefined)) return ""; // a refusal, or only reasoning
  throw new Passing(`a choice has no text: ${JSON.stringify(choice).slice(0, 200)}`);
}
