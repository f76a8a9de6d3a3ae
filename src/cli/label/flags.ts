/** The flags of `codescore label`. */
import type { Shard } from "../../dataset/index.ts";
import type { NotebookOptions } from "../../problems/index.ts";
import type { ExecutorFlags } from "../options/executor.ts";

/** How notebooks among the problems are read. */
export const notebooksOf = ({ files, fields }: Flags): NotebookOptions => ({
  ...(files !== undefined && { files }),
  ...(fields && { fields }),
});

export interface Flags extends ExecutorFlags {
  readonly problems: readonly string[];
  readonly samples?: readonly string[];
  readonly output?: string;
  readonly stdio?: true;
  readonly expand?: number;
  readonly seed: number;
  readonly shard?: Shard;
  readonly files?: string;
  readonly fields?: NotebookOptions["fields"];
}
