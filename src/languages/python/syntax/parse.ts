/** Parses Python source to a plain tree (see `languages/grammar/tree.ts`). */
import { remember } from "../../../util/remember.ts";
import { loadCheck, loadGrammar, type Parse } from "../../grammar/tree.ts";

export { lineNumber, type Node, type Parse, type Program } from "../../grammar/tree.ts";

/** Total number of characters of the programs whose trees are cached. So several analyses of one program parse it once. */
const REMEMBERED = 2 ** 17;

let loading: Promise<Parse> | undefined;

/** @throws `CodescoreError("environment")` if the grammar cannot be loaded. */
export async function loadParser(): Promise<Parse> {
  loading ??= loadGrammar("python").then((parse) => remember(parse, REMEMBERED));
  return loading;
}

/** A function that tells whether a text has a syntax error, without making its tree. Throws the errors of `loadParser`. */
export const loadSyntaxCheck = (): Promise<(code: string) => boolean> => loadCheck("python");
