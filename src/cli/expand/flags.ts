/** The flags of `codescore expand`. */
import type { Shard } from "../../dataset/index.ts";
import type { ExecutorFlags } from "../options/executor.ts";

export interface Flags extends ExecutorFlags {
  readonly problems?: readonly string[];
  readonly output?: string;
  readonly stdio?: true;
  readonly count?: number;
  readonly seed?: number;
  readonly llm?: string;
  readonly shard?: Shard;
}
