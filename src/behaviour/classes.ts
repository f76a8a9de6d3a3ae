/** The classes of a program and their methods, read by patterns. */
import { type Parameter as Declared, readSignature } from "../expand/index.ts";

const TOP_CLASS = /^class[ \t]+(\w+)/gm;
const METHOD = /^[ \t]+(?:async[ \t]+)?def[ \t]+([a-zA-Z]\w*|__(?:len|str|call)__)[ \t]*\(\s*self\b/gm;
/** A line that is not indented, other than a comment or the end of a bracket. */
const OUTSIDE = /\n(?=[^\s#)\]}])/;

export interface Class {
  readonly name: string;
  readonly body: string;
  /** Public methods. */
  readonly methods: readonly string[];
  /** Methods that `len`, `str` and calls use. */
  readonly special: readonly string[];
  /** The name of the inner function that is returned, if it is no class but a function (closures.ts). */
  readonly makes?: string;
}

/** The statement that begins at a place, to the end of its body. */
export function blockAt(code: string, start: number): string {
  const rest = code.slice(start);
  const end = rest.search(OUTSIDE);
  return end < 0 ? rest : rest.slice(0, end);
}

export function classesOf(code: string): Class[] {
  return [...code.matchAll(TOP_CLASS)].map((match) => {
    const body = blockAt(code, match.index);
    const all = [...new Set([...body.matchAll(METHOD)].map((own) => own[1] as string))];
    return {
      name: match[1] as string,
      body,
      methods: all.filter((method) => !method.startsWith("__")),
      special: all.filter((method) => method.startsWith("__")),
    };
  });
}

/** How a description speaks of a special method. */
const CALLED: Readonly<Record<string, RegExp>> = { __len__: /\blen\(/, __str__: /\bstr\(/, __call__: /\bcallable\b/ };

export interface Method {
  /** The name under which a sequence calls it. */
  readonly name: string;
  /** The name of the function that defines it. */
  readonly defined: string;
  readonly parameters: readonly Declared[];
}

/**
 * The constructor, under the name of the class, and the public methods. Of these only the ones that the description names, if it names any: a
 * right program need not have the others.
 */
export function methodsOf({ name, body, methods, special, makes }: Class, description = ""): Method[] {
  if (makes !== undefined)
    return [
      { name, defined: name, parameters: readSignature(body, name) ?? [] },
      { name: "__call__", defined: makes, parameters: readSignature(body, makes) ?? [] },
    ];
  const areNamed = methods.some((method) => new RegExp(`\\b${method}\\(|[\`.]${method}\\b`).test(description));
  const isNamed = (method: string): boolean => new RegExp(`\\b${method}\\b`).test(description);
  const named = areNamed ? methods.filter(isNamed) : methods;
  const asked = special.filter((method) => isNamed(method) || CALLED[method]!.test(description));
  return ["__init__", ...named, ...asked].map((method) => ({
    name: method === "__init__" ? name : method,
    defined: method,
    parameters: readSignature(body, method) ?? [],
  }));
}

const MOST_ATTRIBUTES = 4;

/** The public attributes of an object that the description names as such: `has the attributes owner and balance`, `account.balance`. */
export function attributesOf({ body, methods }: Class, description: string): string[] {
  const assigned = [...body.matchAll(/\bself\.([a-z]\w{0,40})(?::[^=\n]{1,60})?[ \t]*=(?!=)/g)].map(
    ([, name]) => name!,
  );
  const isSaid = (name: string): boolean =>
    new RegExp(
      `\\w\\.${name}\\b(?!\\()|\\battributes?\\b[^.\\n]{0,80}\\b${name}\\b|\\b${name}\\b[^.\\n]{0,10} attribute`,
    ).test(description);
  return [...new Set(assigned)].filter((name) => !methods.includes(name) && isSaid(name)).slice(0, MOST_ATTRIBUTES);
}

/** The methods that return nothing in a class, and of whose results the description does not speak. A right program's may return anything. */
export function silentMethods({ body, methods }: Class, description: string): string[] {
  const starts = [...body.matchAll(METHOD)];
  return methods.filter((method) => {
    const own = starts.findIndex(([, name]) => name === method);
    const code = body.slice(starts[own]!.index, starts[own + 1]?.index);
    const returns = /\breturn[ \t]+(?!None\b)\S|\byield\b|@property/.test(code);
    return (
      !returns &&
      !new RegExp(
        `\\b${method}\\b(?:\\([^()\\n]{0,80}\\))?[^.;()\\n]{0,80}\\b(?:returns?|gives?|answers?|None)\\b`,
      ).test(description)
    );
  });
}
