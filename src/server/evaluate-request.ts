/**
 * Parses a request to the evaluate route. A field that a round trip cannot honour is refused, never ignored. Otherwise the answer
 * would look evaluated without being what was requested.
 */
import type { Message } from "../rtc/index.ts";
import { patchedSampling } from "../rtc/patched/patched.ts";
import { isObject, kindOf } from "./json.ts";

export interface EvaluateRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  /** The client's role name for system messages. */
  readonly system: "system" | "developer";
  /** Fields for the calls that answer Q and Q1: only those that the client set. */
  readonly answering: Fields;
  /** Fields for the call that writes Q1. */
  readonly writing: Fields;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A request that cannot be evaluated. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly param: string;

  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

/** Fields for every call. */
const ofCalls = [
  "seed",
  "reasoning_effort",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "service_tier",
  "chat_template_kwargs",
] as const;

/** Fields for the calls that answer. */
const ofAnswers = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "logit_bias",
  "response_format",
  "verbosity",
  "metadata",
  "store",
] as const;

/** Fields that request more than one text, with the values that switch them off. */
const off: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  logprobs: [false],
  top_logprobs: [0],
  tools: [[]],
  tool_choice: ["none", "auto"],
  parallel_tool_calls: [true, false],
  functions: [[]],
  function_call: ["none", "auto"],
  modalities: [["text"]],
};

/** All known fields, for the OpenAPI document. In each, `null` means absent. */
export const evaluateFields = { settings: [...ofCalls, ...ofAnswers], off } as const;

const elsewhere = "POST /v1/chat/completions forwards any request without evaluating it";

/** Throws `RefusedError`. Leaves it to the upstream to check the values of settings. */
export function readEvaluateRequest(body: unknown): EvaluateRequest {
  if (!isObject(body)) throw new RefusedError("", `expected a JSON object, got ${kindOf(body)}`);
  const given: Fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const { model, messages, stream = false, stream_options: options, ...settings } = given;
  if (typeof model !== "string" || model === "") {
    throw new RefusedError("model", `expected \`model\` to be a model's name, got ${kindOf(model)}`);
  }
  if (typeof stream !== "boolean") {
    throw new RefusedError("stream", `expected \`stream\` to be true or false, got ${kindOf(stream)}`);
  }
  for (const [name, value] of Object.entries(settings)) checkSetting(name, value);
  return {
    model,
    ...readMessages(messages),
    answering: pick(settings, [...ofCalls, ...ofAnswers]),
    writing: { ...pick(settings, ofCalls), ...writingLimits(settings) },
    stream,
    includeUsage: readIncludeUsage(options, stream),
  };
}

function checkSetting(name: string, value: unknown): void {
  const harmless = off[name];
  if (harmless !== undefined) {
    const got = JSON.stringify(value);
    if (harmless.some((one) => JSON.stringify(one) === got)) return;
    const wanted = harmless.map((one) => JSON.stringify(one)).join(" or ");
    throw new RefusedError(
      name,
      `\`${name}\` cannot be evaluated unless it is ${wanted}, got ${got.slice(0, 80)}; ${elsewhere}`,
    );
  }
  if (name === "response_format") checkFormat(value);
  if ((evaluateFields.settings as readonly string[]).includes(name)) return;
  throw new RefusedError(name, `\`${name.slice(0, 80)}\` cannot be evaluated; ${elsewhere}`);
}

function checkFormat(format: unknown): void {
  const type = isObject(format) ? format.type : undefined;
  if (type === "text" || type === "json_schema") return;
  const why =
    type === "json_object" ? " (models require the word JSON in the query, and the other query may lack it)" : "";
  throw new RefusedError(
    "response_format",
    `expected \`response_format\` to have the type text or json_schema, got ${JSON.stringify(type) ?? "none"}${why}; ${elsewhere}`,
  );
}

/**
 * Temperature and token limit for writing Q1, only if the client sets its own: the temperature of `patchedSampling`, and at least its token
 * limit. Reasoning models refuse a temperature, and need more tokens than the text has.
 */
function writingLimits(settings: Fields): Fields {
  const { temperature, maxTokens } = patchedSampling.forward;
  const room = (["max_tokens", "max_completion_tokens"] as const).flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, typeof value === "number" ? Math.max(value, maxTokens) : value]];
  });
  return { ...(settings.temperature === undefined ? {} : { temperature }), ...Object.fromEntries(room) };
}

function readIncludeUsage(options: unknown, stream: boolean): boolean {
  if (options === undefined) return false;
  if (!isObject(options) || !stream) {
    throw new RefusedError("stream_options", "expected `stream_options` to be an object, and `stream` to be true");
  }
  // Obfuscation hides the sizes of pieces. Here the answer is a single piece.
  const odd = Object.keys(options).find((name) => name !== "include_usage" && name !== "include_obfuscation");
  if (odd === undefined) return options.include_usage === true;
  throw new RefusedError("stream_options", `\`stream_options.${odd.slice(0, 80)}\` is not supported; ${elsewhere}`);
}

function readMessages(messages: unknown): Pick<EvaluateRequest, "messages" | "system"> {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RefusedError(
      "messages",
      `expected \`messages\` to be an array of at least one turn, got ${kindOf(messages)}`,
    );
  }
  const turns = messages.map(readMessage);
  if (turns.at(-1)!.role !== "user") {
    throw new RefusedError("messages", `expected a conversation that ends with the user's turn; ${elsewhere}`);
  }
  return { messages: turns, system: messages.some((turn) => turn.role === "developer") ? "developer" : "system" };
}

function readMessage(turn: unknown, index: number): Message {
  const at = `messages[${index}]`;
  if (!isObject(turn)) throw new RefusedError(at, `expected \`${at}\` to be an object, got ${kindOf(turn)}`);
  const { role, content, ...rest } = turn;
  if (role !== "system" && role !== "developer" && role !== "user" && role !== "assistant") {
    const got = JSON.stringify(role)?.slice(0, 80) ?? "nothing";
    throw new RefusedError(
      `${at}.role`,
      `expected the role system, developer, user or assistant, got ${got}; ${elsewhere}`,
    );
  }
  // Clients send earlier answers back unchanged, including empty fields.
  const odd = Object.entries(rest).find(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  if (odd !== undefined) {
    const name = `${at}.${odd[0].slice(0, 80)}`;
    throw new RefusedError(name, `\`${name}\` cannot be evaluated; ${elsewhere}`);
  }
  return { role: role === "developer" ? "system" : role, content: readContent(content, `${at}.content`) };
}

function readContent(content: unknown, at: string): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw new RefusedError(at, `expected \`${at}\` to be a text, got ${kindOf(content)}`);
  const texts = content.map((part: unknown) => {
    if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
    const type = isObject(part) ? JSON.stringify(part.type)?.slice(0, 80) : kindOf(part);
    throw new RefusedError(at, `expected the parts of \`${at}\` to be texts, got ${type ?? "none"}; ${elsewhere}`);
  });
  return texts.join("\n");
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
