/**
 * Parses source in any of seven languages to a plain tree. tree-sitter parses it (WebAssembly; each grammar is loaded once, on
 * first use). The tree is copied into plain objects, and the parser's memory is freed at once. Offsets are UTF-16, as in
 * JavaScript strings. Every input gives a tree: source that does not parse has nodes of type `ERROR`, and is a single such node
 * if the parser gives up. Nesting may be arbitrarily deep.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser, type Tree, type TreeCursor } from "web-tree-sitter";
import { CodescoreError, messageOf } from "../../errors.ts";
import { NO_WASM_MEMORY } from "../../util/wasm-memory.ts";

export interface Node {
  /** A node type of the grammar, e.g. `if_statement`. Keywords and operators are their own type. */
  readonly type: string;
  /** The node's role in its parent, e.g. `condition`. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly parent: Node | null;
  readonly children: Node[];
  readonly named: boolean;
  /** The parser inserted this node to continue. It is not in the source. */
  readonly missing: boolean;
}

export interface Program {
  readonly code: string;
  readonly root: Node;
  /** All nodes, parents before children, in source order. */
  readonly nodes: readonly Node[];
  /** Whether the source has a syntax error. */
  readonly broken: boolean;
}

/** Parses one program. */
export type Parse = (code: string) => Program;

export type Grammar = "python" | "javascript" | "typescript" | "java" | "cpp" | "go" | "rust";

/** The npm package of all grammars, as built by their own packages, without those packages' native builds. */
const PACKAGE = "@vscode/tree-sitter-wasm";

const require = createRequire(import.meta.url);
const loading = new Map<Grammar, Promise<Parser>>();

/**
 * The parser gives up after this many hundred steps. A megabyte of any program takes less than half of them. A megabyte of
 * ambiguity (`a<b<a<b<` in C++) takes more memory than WebAssembly has, and would make all later parsing fail too.
 */
const MAX_STEPS = 40_000;

/**
 * Maximum number of times that the parser may ask for a piece of the source. The parser reads ahead to find the end of a token,
 * then goes back. So fifty thousand lines joined by backslashes are read fifty thousand times, in pieces of some thousand
 * characters. Real programs need four hundred reads for a hundred thousand characters.
 */
const maxReads = (characters: number): number => 1000 + characters / 50;

/**
 * Loads a grammar, once.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadGrammar(grammar: Grammar): Promise<Parse> {
  const parser = await parserOf(grammar);
  const typeOf = nodeTypes(parser);
  return (code) => {
    const tree = treeOf(parser, code);
    if (tree === null) return givenUp(code);
    const broken = tree.rootNode.hasError;
    const cursor = tree.walk();
    const nodes = copy(cursor, typeOf);
    cursor.delete();
    tree.delete();
    return { code, root: nodes[0]!, nodes, broken };
  };
}

/**
 * Loads a grammar as `loadGrammar` does, for a function that only tells whether source has a syntax error (`Program.broken`). Copies no tree,
 * which takes half of the time.
 */
export async function loadCheck(grammar: Grammar): Promise<(code: string) => boolean> {
  const parser = await parserOf(grammar);
  return (code) => {
    const tree = treeOf(parser, code);
    const broken = tree?.rootNode.hasError ?? true;
    tree?.delete();
    return broken;
  };
}

function parserOf(grammar: Grammar): Promise<Parser> {
  if (!loading.has(grammar)) loading.set(grammar, load(grammar));
  return loading.get(grammar)!;
}

/** The parser's own tree, which the caller deletes; null if the parser gives up. */
function treeOf(parser: Parser, code: string): Tree | null {
  let [steps, reads] = [0, 0];
  const most = maxReads(code.length);
  const read = (at: number): string => {
    reads += 1;
    return code.slice(at);
  };
  const tree = parser.parse(read, null, { progressCallback: () => ++steps > MAX_STEPS || reads > most });
  if (!tree) parser.reset();
  return tree;
}

/** The version of the grammar package. Trees may differ between versions. */
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

/** The line number, from 1, of an offset. */
export const lineNumber = (text: string, at: number): number => text.slice(0, at).split("\n").length;

type NodeTypes = (id: number) => Pick<Node, "type" | "named">;

/** Looks up a node type by the parser's number for it. Each is looked up once, then cached. */
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

/**
 * Copies the tree. Not recursive, because programs from models may nest arbitrarily deep. Each query of the cursor is a call
 * into WebAssembly.
 */
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
