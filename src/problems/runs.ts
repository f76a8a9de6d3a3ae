/** The model and temperature of a run, read from the file and folder names that harnesses choose. */
import { basename, dirname } from "node:path";

/** Fields that a sample row gets from its run. */
export interface Run {
  readonly model?: string;
  readonly temperature?: number;
}

/** EvalPlus: `MODEL_BACKEND_temp_T`, in older versions `MODEL_temp_T`. A `/` in a model's name is written `--`. */
const EVALPLUS =
  /^(.+?)(?:_(?:vllm|hf|hf_gaudi|openai|anthropic|google|bedrock|ollama|gptqmodel))?_temp_(\d+(?:\.\d+)?)(?!\d)/;

/** LiveCodeBench: `MODEL/codegeneration_N_T.json`, and the files it writes beside it (`_eval_all.json`). */
const LIVECODEBENCH = /^(?:codegeneration|selfrepair)_\d+_(\d+(?:\.\d+)?)(?:_eval(?:_all)?)?\.json$/;

/** Whether a folder is named like one run. */
export const isRunFolder = (name: string): boolean => EVALPLUS.test(name);

/** Reads the run from a path: from its own name, otherwise from its folder's name; empty if neither fits. */
export function runOf(path: string): Run {
  const [name, folder] = [basename(path), basename(dirname(path))];
  const temperature = LIVECODEBENCH.exec(name)?.[1];
  if (temperature !== undefined) return { model: folder, temperature: Number(temperature) };
  const found = EVALPLUS.exec(name) ?? EVALPLUS.exec(folder);
  return found === null ? {} : { model: (found[1] as string).replaceAll("--", "/"), temperature: Number(found[2]) };
}
