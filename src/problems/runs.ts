/** The model and temperature of a run, as harnesses write them into the names of files and folders. */
import { basename, dirname } from "node:path";

/** Fields of a sample row. */
export interface Run {
  readonly model?: string;
  readonly temperature?: number;
}

/** EvalPlus' `MODEL_BACKEND_temp_T`, of older versions `MODEL_temp_T`; `/` of a model's name is written `--`. */
const EVALPLUS =
  /^(.+?)(?:_(?:vllm|hf|hf_gaudi|openai|anthropic|google|bedrock|ollama|gptqmodel))?_temp_(\d+(?:\.\d+)?)(?!\d)/;

/** LiveCodeBench's `MODEL/codegeneration_N_T.json`, and what it writes beside it (`_eval_all.json`). */
const LIVECODEBENCH = /^(?:codegeneration|selfrepair)_\d+_(\d+(?:\.\d+)?)(?:_eval(?:_all)?)?\.json$/;

/** Whether a folder is named as one run. */
export const isRunFolder = (name: string): boolean => EVALPLUS.test(name);

/** What the names of a path say, its own before its folder's; nothing where they are named otherwise. */
export function runOf(path: string): Run {
  const [name, folder] = [basename(path), basename(dirname(path))];
  const temperature = LIVECODEBENCH.exec(name)?.[1];
  if (temperature !== undefined) return { model: folder, temperature: Number(temperature) };
  const found = EVALPLUS.exec(name) ?? EVALPLUS.exec(folder);
  return found === null ? {} : { model: (found[1] as string).replaceAll("--", "/"), temperature: Number(found[2]) };
}
