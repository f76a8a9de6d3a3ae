/** Python source as a plain tree (see `syntax.ts`). */
import { loadGrammar, type Parse } from "./syntax.ts";

export type { Node, Parse, Program } from "./syntax.ts";

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export const loadParser = (): Promise<Parse> => loadGrammar("python");
