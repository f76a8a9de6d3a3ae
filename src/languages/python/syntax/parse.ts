/** Python source as a plain tree (see `languages/grammar/tree.ts`). */
import { remember } from "../../../util/remember.ts";
import { loadGrammar, type Parse } from "../../grammar/tree.ts";

export { lineNumber, type Node, type Parse, type Program } from "../../grammar/tree.ts";

/** Characters of programs whose trees are kept: what looks at one program in several ways has it parsed once. */
const REMEMBERED = 2 ** 16;

let loading: Promise<Parse> | undefined;

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadParser(): Promise<Parse> {
  loading ??= loadGrammar("python").then((parse) => remember(parse, REMEMBERED));
  return loading;
}
