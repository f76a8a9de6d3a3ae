/** Parses for tree_sitter_wasm.py: reads a line of JSON {grammar, code}, and writes a line of JSON with the tree. */
import { createInterface } from "node:readline";
import { Language, Parser } from "web-tree-sitter";

await Parser.init();
const parsers = new Map();

async function parserOf(grammar) {
  if (!parsers.has(grammar)) {
    const url = new URL(
      `../../../node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`,
      import.meta.url,
    );
    parsers.set(grammar, new Parser().setLanguage(await Language.load(url.pathname)));
  }
  return parsers.get(grammar);
}

const plain = (node, field) => ({
  type: node.type,
  field,
  start: [node.startPosition.row, node.startPosition.column],
  end: [node.endPosition.row, node.endPosition.column],
  sexp: node.toString(),
  children: node.children.map((child, i) => plain(child, node.fieldNameForChild(i))),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { grammar, code } = JSON.parse(line);
  const tree = (await parserOf(grammar)).parse(code);
  console.log(JSON.stringify(plain(tree.rootNode, null)));
  tree.delete();
}
