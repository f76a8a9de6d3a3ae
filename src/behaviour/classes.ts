/** The classes of a program and their methods, read by patterns. */
import { type Parameter as Declared, readSignature } from "../expand/index.ts";

const TOP_CLASS = /^class[ \t]+(\w+)/gm;
const METHOD = /^[ \t]+(?:async[ \t]+)?def[ \t]+([a-zA-Z]\w*)[ \t]*\(\s*self\b/gm;
/** A line that is not indented, other than a comment or the end of a bracket. */
const OUTSIDE = /\n(?=[^\s#)\]}])/;

export interface Class {
  readonly name: string;
  readonly body: string;
  /** Public methods. */
  readonly methods: readonly string[];
}

export function classesOf(code: string): Class[] {
  return [...code.matchAll(TOP_CLASS)].map((match) => {
    const rest = code.slice(match.index);
    const end = rest.search(OUTSIDE);
    const body = end < 0 ? rest : rest.slice(0, end);
    return {
      name: match[1] as string,
      body,
      methods: [...new Set([...body.matchAll(METHOD)].map((own) => own[1] as string))],
    };
  });
}

export interface Method {
  readonly name: string;
  readonly parameters: readonly Declared[];
}

/** The constructor, under the name of the class, and the public methods. */
export function methodsOf({ name, body, methods }: Class): Method[] {
  return ["__init__", ...methods].map((method) => ({
    name: method === "__init__" ? name : method,
    parameters: readSignature(body, method) ?? [],
  }));
}
