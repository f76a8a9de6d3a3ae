/**
 * Calls in the description of a program that reads standard input, as texts: `find("ab") == "a"` says that the program prints `a` for
 * the line `ab`. Collections such as APPS ask for functions in words and for whole programs in their tests.
 */
import { sameOutput } from "../execute/index.ts";
import { parseArguments, parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { answeredCalls } from "./examples.ts";
import type { Tried } from "./oracle.ts";
import type { Example } from "./types.ts";

/** Maximum number of calls that are tried. */
const MOST = 12;

const itemsOf = (value: PyValue): readonly PyValue[] | null =>
  value.t === "list" || value.t === "tuple" ? value.v : null;

/** As Python's `print` writes it. */
const plain = (value: PyValue): string => (value.t === "str" ? value.v : printLiteral(value));

const commas = (value: PyValue): string => itemsOf(value)?.map(plain).join(",") ?? plain(value);

/** `1 2 3`; a list of lists in rows. */
function spaced(value: PyValue): string {
  const items = itemsOf(value);
  return items?.map(spaced).join(items.some(itemsOf) ? "\n" : " ") ?? plain(value);
}

function counted(value: PyValue): string {
  const items = itemsOf(value);
  return items === null ? plain(value) : `${items.length}\n${spaced(value)}`;
}

/** Ways to write arguments as lines. */
const LAYOUTS: readonly ((values: readonly PyValue[]) => string)[] = [
  (values) => values.map(plain).join("\n"),
  (values) => values.map(spaced).join("\n"),
  (values) => values.map(plain).join(" "),
  (values) => values.map(counted).join("\n"),
  (values) => values.map(printLiteral).join("\n"),
  (values) => values.map(commas).join("\n"),
];

/** Ways to print an answer. */
const PRINTED: readonly ((value: PyValue) => string)[] = [plain, spaced];

/**
 * The texts of the layout in which the program prints most of the answers that the calls show, and those answers as examples. Nothing if
 * it prints fewer than half of them: the layout is wrong, or the text only looks like a call (`f(1, 2)` in a formula).
 */
export async function callsAsTexts(
  description: string,
  tried: Tried,
): Promise<{ readonly inputs: readonly ProgramInput[]; readonly examples: readonly Example[] }> {
  const calls = answeredCalls(description).flatMap(({ args, expected }) => {
    const { positional, keyword } = parseArguments(args);
    const answer = expected === null ? null : parseLiteral(expected);
    return keyword.length > 0 ? [] : [{ values: positional, answer }];
  });
  const asked = calls.slice(0, MOST);
  const shown = asked.filter(({ answer }) => answer !== null).length;
  const none = { inputs: [], examples: [] };
  if (shown === 0) return none;
  const layouts = LAYOUTS.map((layout) => asked.map(({ values }) => `${layout(values)}\n`));
  const trials = await tried(layouts.flat());
  const results = layouts.flatMap((texts, l) =>
    PRINTED.map((print) => {
      const examples = asked.flatMap(({ answer }, i) =>
        answer === null ? [] : [{ i, input: { stdin: texts[i]! }, expected: `${print(answer)}\n` }],
      );
      const right = examples.filter(({ i, expected }) =>
        trials[l * asked.length + i]!.answers.some(({ value }) => value.t === "str" && sameOutput(value.v, expected)),
      );
      return { texts, examples, right: right.length };
    }),
  );
  const [best] = results.toSorted((a, b) => b.right - a.right);
  if (best === undefined || 2 * best.right < shown) return none;
  return {
    inputs: best.texts.map((stdin) => ({ stdin })),
    examples: best.examples.map(({ input, expected }) => ({ input, expected })),
  };
}
