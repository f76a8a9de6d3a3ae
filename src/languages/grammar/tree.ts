/**
 * Source in any of seven languages as a plain tree: tree-sitter parses it (WebAssembly; each grammar is loaded once, when first
 * needed), the tree is copied into objects of ours and the parser's memory is freed at once. Offsets are UTF-16, as in
 * JavaScript strings. Total: what does not parse has nodes of type `ERROR` (is one whole, where the parser gives up), and no
 * depth of nesting is too deep.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import { CodescoreError, messageOf } from "../../errors.ts";
import { NO_WASM_MEMORY } from "../../util/wasm-memory.ts";

export interface Node {
  /** A node type of the grammar, e.g. `if_statement`; keywords and operators are their own type. */
  readonly type: string;
  /** The role in the parent, e.g. `condition`. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly parent: Node | null;
  readonly children: Node[];
  readonly named: boolean;
  /** The parser put it in to go on: it is not in the source. */
  readonly missing: boolean;
}

export interface Program {
  readonly code: string;
  readonly root: Node;
  /** Every node, parents before children, in source order. */
  readonly nodes: readonly Node[];
  /** The source does not parse. */
  readonly broken: boolean;
}

/** Parses one program. */
export type Parse = (code: string) => Program;

export type Grammar = "python" | "javascript" | "typescript" | "java" | "cpp" | "go" | "rust";

/** Of all grammars, as their own packages build them, without those packages' native builds. */
const PACKAGE = "@vscode/tree-sitter-wasm";

const require = createRequire(import.meta.url);
const loading = new Map<Grammar, Promise<Parser>>();

/**
 * Hundreds of steps of the parser after which it gives up. A megabyte of any program takes less than half; a megabyte of
 * ambiguity (`a<b<a<b<` in C++) takes more memory than WebAssembly has, and would take all later parsing down with it.
 */
const MAX_STEPS = 40_000;

/**
 * Pieces of the source that the parser may ask for. It reads on while it looks for a token's end, and goes back: fifty thousand lines
 * that a backslash joins are read fifty thousand times, a piece of some thousand characters each time. Programs of people take four
 * hundred of a hundred thousand characters.
 */
const maxReads = (characters: number): number => 1000 + characters / 50;

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadGrammar(grammar: Grammar): Promise<Parse> {
  if (!loading.has(grammar)) loading.set(grammar, load(grammar));
  const parser = await loading.get(grammar)!;
  const typeOf = nodeTypes(parser);
  return (code) => {
    let [steps, reads] = [0, 0];
    const most = maxReads(code.length);
    const read = (at: number): string => {
      reads += 1;
      return code.slice(at);
    };
    const tree = parser.parse(read, null, { progressCallback: () => ++steps > MAX_STEPS || reads > most });
    if (!tree) {
      parser.reset();
      return givenUp(code);
    }
    const broken = tree.rootNode.hasError;
    const cursor = tree.walk();
    const nodes = copy(cursor, typeOf);
    cursor.delete();
    tree.delete();
    return { code, root: nodes[0]!, nodes, broken };
  };
}

/** The version of the package that the grammar comes from: trees may differ between versions. */
export const grammarVersion = (): string => require(`${PACKAGE}/package.json`).version;

async function load(grammar: Grammar): Promise<Parser> {
  try {
    await Parser.init();
    const wasm = await readFile(require.resolve(`${PACKAGE}/wasm/tree-sitter-${grammar}.wasm`));
    const parser = new Parser();
    parser.setLanguage(await Language.load(wasm));
    return parser;
  } catch (error) {
    const mend = error instanceof RangeError ? NO_WASM_MEMORY : "run npm ci";
    throw new CodescoreError("environment", `cannot load the ${grammar} grammar (${mend}): ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function givenUp(code: string): Program {
  const root: Node = {
    type: "ERROR",
    field: null,
    start: 0,
    end: code.length,
    parent: null,
    children: [],
    named: true,
    missing: false,
  };
  return { code, root, nodes: [root], broken: true };
}

/** The line, from 1, that an offset lies on. */
export const lineNumber = (text: string, at: number): number => text.slice(0, at).split("\n").length;

type NodeTypes = (id: number) => Pick<Node, "type" | "named">;

/** What the grammar says of a node type, by the parser's number for it; each is asked for once. */
function nodeTypes({ language }: Parser): NodeTypes {
  const known = new Map<number, Pick<Node, "type" | "named">>();
  return (id) => {
    let found = known.get(id);
    if (found === undefined) {
      found = { type: language!.types[id] || "ERROR", named: language!.nodeTypeIsNamed(id) };
      known.set(id, found);
    }
    return found;
  };
}

/** Not recursive: programs of models nest as deep as they like. What is asked of the cursor costs a call into WebAssembly. */
function copy(cursor: TreeCursor, typeOf: NodeTypes): Node[] {
  const nodes: Node[] = [];
  let parent: Node | null = null;
  for (;;) {
    const { type, named } = typeOf(cursor.nodeTypeId);
    const [start, end] = [cursor.startIndex, cursor.endIndex];
    const node: Node = {
      type,
      field: cursor.currentFieldName,
      start,
      end,
      parent,
      children: [],
      named,
      missing: start === end && cursor.nodeIsMissing,
    };
    nodes.push(node);
    parent?.children.push(node);
    if (cursor.gotoFirstChild()) {
      parent = node;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return nodes;
      parent = parent!.parent;
    }
  }
}
