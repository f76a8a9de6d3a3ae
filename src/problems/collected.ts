/**
 * Training rows collected from many sources into one format: `task_id, source, nl, entry_point, signature, references, tests,
 * tests_kind`, and if known `tests_et, prelude, test_setup, llm_passing`.
 * Kinds of tests: `assert` (source text), `stdio`, `io` (a call: one argument per line, or `name = value` text; see named.ts) and
 * `unittest` (see unittest.ts). Inputs that are prose are recognised by their text. Such tests are left out and reported.
 */
import { CodescoreError } from "../errors.ts";
import { parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import { JUDGE_IMPORTS } from "../languages/python/syntax/judge.ts";
import {
  atCommas,
  closingBracket,
  definedFunctions,
  onlyImports,
  unixNewlines,
} from "../languages/python/syntax/source.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { optionalString, stringField } from "../util/jsonl.ts";
import { callTest, lines, unwrapped } from "./apps.ts";
import { distinct, extendedAsserts, extendedOr, type LeaveOut, stringList, taskId, textTests } from "./fields.ts";
import { namedCalls, onlyMethod, signatureOf } from "./named.ts";
import { fieldOf, parseExact, type Row } from "./rows.ts";
import { unittestTests } from "./unittest.ts";

export function collectedProblem(row: Row, leaveOut: LeaveOut): Problem {
  const references = distinct(stringList(row, "references"));
  const passing = optionalString(row, "llm_passing");
  // Some sources judged `io` tests by feeding the arguments to a whole program and reading what it prints. A passing program that reads stdin
  // shows this, and then the other programs of that source do the same. Such tests are of kind stdio, no matter what the row says.
  const printed = row.value.tests_kind === "io" && passing !== null && readsStdin(passing);
  const entryPoint = printed ? null : entryPointOf(row, references);
  const { prelude, instance, before, setup } = setupOf(row, entryPoint);
  const id = taskId(row, null);
  const extended = extendedAsserts(row).length > 0;
  const { tests: own, left } = testsOf(row, entryPoint, references, printed);
  const { tests: all, ...original } = extendedOr(row, own);
  if (left > 0 && !extended)
    leaveOut({ problem: id, where: row.where, tests: left, why: "their arguments cannot be read" });
  const tests = all.map((test) => (test.kind === "assert" ? { ...test, code: before + instance(test.code) } : test));
  return {
    id,
    description: stringField(row, "nl").trim(),
    prompt: "",
    entryPoint,
    references:
      references.length === 0 && passing !== null && answers(passing, entryPoint)
        ? [unixNewlines(passing)]
        : references,
    tests,
    ...original,
    setup: unixNewlines([prelude, setup].filter((part) => part.trim() !== "").join("\n")),
    contract: optionalString(row, "contract") ?? "",
    source: optionalString(row, "source") ?? "collected",
  };
}

/** The row's own entry point. Otherwise the only function in the signature of a unittest row, or the only method of `Solution`. */
function entryPointOf(row: Row, references: readonly string[]): string | null {
  const named = optionalString(row, "entry_point");
  if (named !== null) return named;
  const signature = optionalString(row, "signature") ?? "";
  if (row.value.tests_kind === "unittest") {
    const functions = definedFunctions(signature);
    return functions.length === 1 && !/^class\s/m.test(signature) ? (functions[0] as string) : null;
  }
  const method = row.value.tests_kind === "io" && references[0] !== undefined ? onlyMethod(references[0]) : null;
  return method === null ? null : `Solution().${method}`;
}

const readsStdin = (code: string): boolean => /\binput\s*\(|\bsys\.stdin\b/.test(code);

/** Whether the program defines the entry point. A program that passed elsewhere may use another name. */
const answers = (code: string, entryPoint: string | null): boolean =>
  entryPoint === null || definedFunctions(code).includes(entryPoint);

/**
 * Decides where the lines of `test_setup` go. A prelude runs before the candidate. Setup lines that need what the candidate
 * defines go into each test and not into the setup. Otherwise the prelude's star imports would run again after the candidate and
 * hide the candidate's own functions. `s = Solution()` is inlined into the calls: `Solution().run(...)`.
 */
function setupOf(row: Row, entryPoint: string | null) {
  const judged = row.value.tests_kind === "io" && (entryPoint?.startsWith("Solution().") ?? false);
  const prelude = optionalString(row, "prelude") ?? (judged ? JUDGE_IMPORTS : "");
  const setup = optionalString(row, "test_setup") ?? "";
  const plain = { prelude, setup, before: "", instance: (code: string) => code };
  if (prelude === "" || onlyImports(setup)) return plain;
  const [, name, value] = /^(\w+)\s*=\s*(\w+\(\))\s*$/.exec(setup) ?? [];
  if (name === undefined || !entryPoint?.startsWith(`${value}.`)) {
    return { ...plain, setup: "", before: `${setup.trimEnd()}\n` };
  }
  const call = new RegExp(`(?<![\\w.])${name}\\.`, "g");
  return { ...plain, setup: "", instance: (code: string) => code.replace(call, `${value}.`) };
}

interface Found {
  readonly tests: TestCase[];
  /** Number of tests of the row that cannot be made runnable. */
  readonly left: number;
}

function testsOf(row: Row, entryPoint: string | null, references: readonly string[], printed: boolean): Found {
  const all = (tests: TestCase[]): Found => ({ tests, left: 0 });
  const kind = stringField(row, "tests_kind");
  if (kind === "none") return all([]);
  if (kind === "assert") return all(textTests(stringList(row, "tests")));
  if (kind === "unittest") return all(stringList(row, "tests").flatMap((file) => unittestTests(file, moduleOf(row))));
  if (kind !== "io" && kind !== "stdio") {
    throw new CodescoreError(
      "input",
      `${row.where}: expected \`tests_kind\` to be assert, io, stdio, unittest or none, got \`${kind}\``,
    );
  }
  const pairs = inputOutputPairs(row);
  if (kind === "io" && !printed) {
    const values = pairs.filter(({ output }) => output.t !== "str");
    const texts = pairs.flatMap(({ input, output }) => (output.t === "str" ? [{ input, output: output.v }] : []));
    const method = /^Solution\(\)\.(\w+)$/.exec(entryPoint ?? "")?.[1];
    const signature = method === undefined ? null : signatureOf(references[0] ?? "", method);
    const named = namedCalls(texts, signature, (text) => literal(text, row.where));
    const calls = entryPoint === null ? [] : callTests(values, parameterCount(row), row.where);
    const tests = [...calls, ...named].map((test, i) => ({ ...test, id: `test-${i}` }));
    return { tests, left: pairs.length - tests.length };
  }
  const outputs = printed ? unwrapped(pairs.map(({ output }) => output)) : pairs.map(({ output }) => output);
  return all(
    pairs.map(({ input }, i) => {
      const output = outputs[i] as PyValue;
      const expected = printed && output.t !== "str" ? printLiteral(output) : lines(output, row.where);
      return { id: `test-${i}`, origin: "given", kind: "stdio", stdin: input, expected };
    }),
  );
}

/** The name under which a unittest file imports the solution: from the row's note, otherwise derived from the task id. */
const moduleOf = (row: Row): string =>
  /\bmodule (\w+)/.exec(optionalString(row, "note") ?? "")?.[1] ??
  taskId(row, null).replace(/^.*\//, "").replaceAll("-", "_");

interface Pair {
  readonly input: string;
  readonly output: PyValue;
}

function inputOutputPairs(row: Row): Pair[] {
  const tests = row.exact("tests");
  const fail = (): never => {
    throw new CodescoreError("input", `${row.where}: expected \`tests\` to be a list of {input, output}`);
  };
  if (tests?.t !== "list") return fail();
  return tests.v.map((test) => {
    const [input, output] = [fieldOf(test, "input"), fieldOf(test, "output")];
    return input?.t === "str" && output !== null ? { input: input.v, output } : fail();
  });
}

/** Number of parameters in the row's `signature`, without `self`; null if it cannot be read off. */
function parameterCount(row: Row): number | null {
  const signature = optionalString(row, "signature") ?? "";
  const head = /def\s+\w+\s*\(/.exec(signature);
  const start = head === null ? 0 : head.index + head[0].length;
  const end = head === null ? null : closingBracket(signature, start);
  if (end === null || /[*=]/.test(signature.slice(start, end))) return null;
  return atCommas(signature.slice(start, end)).filter((name) => !/^\s*(?:self\b.*)?$/.test(name)).length;
}

/**
 * Builds calls from inputs with one argument per line. The source has lost the quotes of strings, so if any test has a line that is not a literal,
 * that parameter holds strings in every test. Inputs whose number of lines differs from the number of parameters are left out.
 */
function callTests(pairs: readonly Pair[], parameters: number | null, where: string): TestCase[] {
  const usable = pairs
    .map(({ input, output }) => ({ lines: parameters === 1 ? [input] : input.split("\n"), output }))
    .filter((pair) => parameters === null || pair.lines.length === parameters);
  const texts = new Set<number>();
  for (const { lines } of usable)
    for (const [i, line] of lines.entries()) if (literal(line, where) === null) texts.add(i);
  const outputs = unwrapped(usable.map(({ output }) => output));
  return usable.map(({ lines }, t) => {
    const values = lines.map(
      (line, i) => (texts.has(i) ? null : literal(line, where)) ?? ({ t: "str", v: line } as const),
    );
    return callTest(t, values.map(printLiteral).join(", "), outputs[t] as PyValue);
  });
}

function literal(text: string, where: string): PyValue | null {
  for (const parse of [() => parseExact(text, where), () => parseLiteral(text)]) {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof CodescoreError)) throw error;
    }
  }
  return null;
}
