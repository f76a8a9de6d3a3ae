/**
 * Writes a program's text as models with `normalise: "names"` read it. Variables are renamed by order of appearance. Each lexeme
 * follows one space. Each statement is one line, indented by one space per level. Comments, docstrings, annotations and the
 * imports for them are left out. Works for any input: source that does not parse is written lexeme by lexeme.
 */

import { beforeOnLine } from "../syntax/lines.ts";
import { isVariable } from "../syntax/names.ts";
import { field, type Node, type Program } from "../syntax/walk.ts";
import { variableNames } from "./variables.ts";

/** Where a lexeme is in the source and in the text. */
export interface Lexeme {
  /** Its start in the source. */
  readonly source: number;
  /** Its position in the text. */
  readonly start: number;
  readonly end: number;
}

export interface Lexed {
  readonly text: string;
  readonly lexemes: readonly Lexeme[];
}

/** Clauses within a statement that start a new line. */
const CLAUSES = new Set([
  "elif_clause",
  "else_clause",
  "except_clause",
  "except_group_clause",
  "finally_clause",
  "case_clause",
]);

export function lex(program: Program): Lexed {
  const lexer = new Lexer(program);
  lexer.statements(program.root, 0);
  return lexer;
}

class Lexer implements Lexed {
  text = "";
  readonly lexemes: Lexeme[] = [];
  readonly #program: Program;
  readonly #code: string;
  readonly #names: ReadonlyMap<string, string>;
  #depth = 0;
  #newLine = false;
  #glued = false;
  #isSolution = false;

  constructor(program: Program) {
    this.#program = program;
    this.#code = program.code;
    this.#names = variableNames(program);
  }

  statements({ children }: Node, depth: number): void {
    let empty = true;
    for (const child of children) {
      if (child.type === ";" || child.type === "comment" || isDocstring(child) || this.#isForTypes(child)) continue;
      empty = false;
      const methods = depth === 0 ? this.#methodsOf(child) : null;
      if (methods !== null) {
        this.#isSolution = true;
        this.statements(methods, 0);
        this.#isSolution = false;
        continue;
      }
      this.#line(depth);
      this.#visit(child, depth);
    }
    if (!empty || depth === 0) return;
    this.#line(depth);
    this.#emit("pass", children[0]?.start ?? 0);
  }

  #visit(node: Node, depth: number): void {
    if (node.type === "comment" || node.type === "line_continuation" || isAnnotation(node)) return;
    if (this.#isSolution && this.#isSelf(node)) return;
    if (node.type === "block") this.statements(node, depth + 1);
    else if (node.type === "string") this.#string(node, depth);
    else if (node.children.length === 0 || node.type === "format_specifier")
      this.#emit(this.#wordOf(node).trimEnd(), node.start);
    else if (node.type === "ERROR") this.#broken(node);
    else {
      for (const child of node.children) {
        if (CLAUSES.has(child.type) || node.type === "decorated_definition") this.#line(depth);
        this.#visit(child, depth);
      }
    }
  }

  /** Keeps the lexemes and line breaks of source that does not parse. */
  #broken(node: Node): void {
    let end = node.start;
    for (const child of node.children) {
      if (this.#code.slice(end, child.start).includes("\n")) this.#line(this.#depthAt(child.start));
      this.#visit(child, this.#depthAt(child.start));
      end = child.end;
    }
  }

  /** The indentation level of an offset's line, at four columns per level. */
  #depthAt(offset: number): number {
    const line = beforeOnLine(this.#program, offset);
    return Math.floor((line.length - line.trimStart().length) / 4);
  }

  /** Writes a string as one lexeme, in double quotes if they change nothing. Each part of an f-string is a lexeme. */
  #string(node: Node, depth: number): void {
    if (!node.children.some(({ type }) => type === "interpolation")) {
      const text = this.#code.slice(node.start, node.end);
      this.#emit(text.replace(/^(\w*)'([^'"\\\n]*)'$/, '$1"$2"'), node.start);
      return;
    }
    node.children.forEach((child, i) => {
      this.#glued = i > 0;
      if (child.type === "interpolation") this.#visit(child, depth);
      else this.#emit(this.#code.slice(child.start, child.end), child.start);
    });
    this.#glued = false;
  }

  #wordOf(node: Node): string {
    const text = this.#code.slice(node.start, node.end);
    return isVariable(node) ? (this.#names.get(text) ?? text) : text;
  }

  #line(depth: number): void {
    this.#depth = depth;
    this.#newLine = true;
  }

  #emit(word: string, source: number): void {
    if (word === "") return;
    if (this.#newLine) this.text += (this.text === "" ? "" : "\n") + " ".repeat(this.#depth);
    this.text += this.#glued && !this.#newLine ? word : ` ${word}`;
    this.#newLine = false;
    this.#glued = false;
    this.lexemes.push({ source, start: this.text.length - word.length, end: this.text.length });
  }

  /** The body of a `class Solution`, whose methods are read as functions, because judges of interview problems call them. */
  #methodsOf(node: Node): Node | null {
    const name = node.type === "class_definition" ? field(node, "name") : undefined;
    if (name === undefined || this.#code.slice(name.start, name.end) !== "Solution") return null;
    return field(node, "body") ?? null;
  }

  /** Whether a node is `self` among parameters or before a dot, or the sign after it. */
  #isSelf({ type, start, end, parent }: Node): boolean {
    const isSign = type === "." || type === ",";
    if (!isSign && type !== "identifier") return false;
    if (parent?.type !== "attribute" && parent?.type !== "parameters") return false;
    const before = isSign ? parent.children.find((sibling) => sibling.end === start) : undefined;
    return this.#code.slice(before?.start ?? start, before?.end ?? end) === "self";
  }

  /** Whether a statement only imports names for annotations. */
  #isForTypes(node: Node): boolean {
    if (node.type === "future_import_statement") return true;
    const module = node.type === "import_from_statement" ? field(node, "module_name") : undefined;
    return module !== undefined && this.#code.slice(module.start, module.end) === "typing";
  }
}

const isDocstring = ({ type, children }: Node): boolean =>
  type === "expression_statement" &&
  children.length === 1 &&
  /^(?:string|concatenated_string)$/.test(children[0]!.type);

const TYPED = new Set(["typed_parameter", "typed_default_parameter", "assignment"]);

/** Whether a node is the annotation of a parameter, an assignment or a function, or the sign before it. */
function isAnnotation({ type, field, parent }: Node): boolean {
  if (type === "->" || field === "return_type") return true;
  return (field === "type" || type === ":") && parent !== null && TYPED.has(parent.type);
}
