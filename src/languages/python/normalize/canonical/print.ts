/** Terms as Python source: one statement a line, four blanks a level, brackets only where Python needs them. */
import { printExpression, printParameters, printTarget } from "./print-expression.ts";
import type { Term } from "./terms.ts";

const INDENT = "    ";

/** A block's lines, each with its line break; `pass` where a block below the module's is empty. */
export function printBlock({ items }: Term, depth = 0): string {
  const indent = INDENT.repeat(depth);
  if (items.length === 0) return depth === 0 ? "" : `${indent}pass\n`;
  return items.map((item) => printStatement(item, depth)).join("");
}

function printStatement(of: Term, depth: number): string {
  const indent = INDENT.repeat(depth);
  const line = (text: string): string => `${indent}${text}\n`;
  const under = (head: string, body: Term): string => line(`${head}:`) + printBlock(body, depth + 1);
  const optional = (head: string, body: Term): string => (body.items.length === 0 ? "" : under(head, body));
  const waiting = of.text === "async" ? "async " : "";
  switch (of.kind) {
    case "if":
      return printIf(of, "if", depth);
    case "while": {
      const [condition, body, otherwise] = of.items;
      return under(`while ${printExpression(condition)}`, body) + optional("else", otherwise);
    }
    case "for": {
      const [target, over, body, otherwise] = of.items;
      return under(`${waiting}for ${printTarget(target)} in ${printTarget(over)}`, body) + optional("else", otherwise);
    }
    case "try": {
      const [body, handlers, otherwise, last] = of.items;
      const clauses = handlers.items.map((handler) => {
        const [type, alias, block] = handler.items as readonly [Term, Term, Term];
        const head = type.kind === "nothing" ? "" : ` ${printExpression(type)}`;
        return under(`except${handler.text}${head}${alias.kind === "nothing" ? "" : ` as ${alias.text}`}`, block);
      });
      return under("try", body) + clauses.join("") + optional("else", otherwise) + optional("finally", last);
    }
    case "with": {
      const items = of.items[0].items.map(({ items: [context, target] }) => {
        const head = printExpression(context!);
        return target!.kind === "nothing" ? head : `${head} as ${printExpression(target!)}`;
      });
      return under(`${waiting}with ${items.join(", ")}`, of.items[1]);
    }
    case "function": {
      const [decorators, parameters, body] = of.items;
      return decorated(decorators, line) + under(`${of.text}(${printParameters(parameters)})`, body);
    }
    case "class": {
      const [decorators, bases, body] = of.items;
      const list = bases.items.length === 0 ? "" : `(${bases.items.map((base) => printExpression(base)).join(", ")})`;
      return decorated(decorators, line) + under(`class ${of.text}${list}`, body);
    }
    default:
      return line(printSimple(of));
  }
}

const decorated = ({ items }: Term, line: (text: string) => string): string =>
  items.map((decorator) => line(`@${printExpression(decorator)}`)).join("");

function printIf(of: Term, keyword: string, depth: number): string {
  const [condition, yes, no] = of.items as readonly [Term, Term, Term];
  const indent = INDENT.repeat(depth);
  const head = `${indent}${keyword} ${printExpression(condition)}:\n${printBlock(yes, depth + 1)}`;
  const [only, ...more] = no.items;
  if (only === undefined) return head;
  if (only.kind === "if" && more.length === 0) return head + printIf(only, "elif", depth);
  return `${head}${indent}else:\n${printBlock(no, depth + 1)}`;
}

/** A statement without blocks. */
function printSimple(of: Term): string {
  const list = (items: readonly Term[]): string => items.map((item) => printExpression(item)).join(", ");
  switch (of.kind) {
    case "expression":
      return printTarget(of.items[0]);
    case "assign":
    case "chain":
      return of.items.map(printTarget).join(" = ");
    case "augment":
      return `${printTarget(of.items[0])} ${of.text}= ${printTarget(of.items[1])}`;
    case "annotated": {
      const [target, value] = of.items;
      return `${printExpression(target)}: ${of.text}${value.kind === "nothing" ? "" : ` = ${printTarget(value)}`}`;
    }
    case "return":
      return of.items[0].kind === "nothing" ? "return" : `return ${printTarget(of.items[0])}`;
    case "raise": {
      const [value, cause] = of.items;
      const from = cause.kind === "nothing" ? "" : ` from ${printExpression(cause)}`;
      return value.kind === "nothing" ? "raise" : `raise ${printExpression(value)}${from}`;
    }
    case "assert": {
      const [condition, message] = of.items;
      return `assert ${printExpression(condition)}${message.kind === "nothing" ? "" : `, ${printExpression(message)}`}`;
    }
    case "delete":
      return `del ${list(of.items)}`;
    case "global":
      return `${of.text} ${list(of.items)}`;
    case "import":
      return `${of.text === "" ? "" : `from ${of.text} `}import ${list(of.items)}`;
    default:
      return of.kind;
  }
}
