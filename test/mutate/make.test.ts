/** Generated candidates are distinct, reproducible and valid Python; and their behaviour when run. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { loadParser, type Parse } from "../../src/languages/python/syntax/walk.ts";
import { type MadeCandidate, makeCandidates } from "../../src/mutate/index.ts";
import { python } from "../util/python.ts";

const perProgram = 24;

interface Made extends MadeCandidate {
  readonly program: string;
  readonly original: string;
  readonly calls: readonly string[];
}

/** The programs of the corpus: `# ===` starts one, `#:` lines are calls. */
const corpus = readFileSync(new URL("../fixtures/mutate/corpus.py", import.meta.url), "utf8")
  .split(/^# === /m)
  .slice(1)
  .map((text) => {
    const [program = "", ...lines] = text.split("\n");
    const calls = lines.filter((line) => line.startsWith("#:")).map((line) => line.slice(2).trim());
    const original = `${lines
      .filter((line) => !line.startsWith("#:"))
      .join("\n")
      .trimEnd()}\n`;
    const keep = calls.flatMap((call) => [...call.matchAll(/(\w+)=(?!=)/g)].map((match) => match[1] as string));
    return { program, original, calls, keep };
  });

const damaged = ({ operators }: MadeCandidate): boolean =>
  operators.some((name) => /^(?:broken-syntax|truncated-body)$/.test(name));

let parse: Parse;
let made: Made[];
beforeAll(async () => {
  parse = await loadParser();
  const all = corpus.map(async ({ program, original, calls, keep }) => {
    const candidates = await makeCandidates(original, { count: perProgram, seed: 11, keep });
    return candidates.map((candidate) => ({ ...candidate, program, original, calls }));
  });
  made = (await Promise.all(all)).flat();
});

describe("makeCandidates", () => {
  it("makes as many as asked for, all different from each other and from the reference", () => {
    expect(made).toHaveLength(corpus.length * perProgram);
    for (const { program, original } of corpus) {
      const texts = new Set([
        original,
        ...made.filter((candidate) => candidate.program === program).map(({ code }) => code),
      ]);
      expect(texts.size).toBe(perProgram + 1);
    }
  });

  it("makes the same for the same seed, others for another", async () => {
    const { original } = corpus[0] as (typeof corpus)[number];
    const once = await makeCandidates(original, { count: 20, seed: 3 });
    expect(await makeCandidates(original, { count: 20, seed: 3 })).toEqual(once);
    expect(await makeCandidates(original, { count: 20, seed: 4 })).not.toEqual(once);
  });

  it("makes Python of all but those whose text it damages", () => {
    expect(made.filter((candidate) => !damaged(candidate) && parse(candidate.code).broken)).toEqual([]);
    expect(made.filter(damaged).length).toBeGreaterThan(10);
  });

  it.skipIf(!python)("makes what Python's own parser takes, of all but those", () => {
    const script =
      "import ast, json, sys\nfor r in json.load(sys.stdin):\n    try: ast.parse(r['code'])\n    except SyntaxError: print(r['madeBy'], r['code'])";
    const input = JSON.stringify(made.filter((candidate) => !damaged(candidate)));
    expect(spawnSync("python3", ["-W", "ignore", "-c", script], { input, encoding: "utf8" }).stdout).toBe("");
  });

  it("says how each was made, and keeps the shares", () => {
    const share = (holds: (candidate: Made) => boolean, among: Made[] = made): number =>
      among.filter(holds).length / among.length;
    for (const { kind, madeBy, operators } of made) {
      expect(madeBy).toMatch(kind === "rewrite" ? /^rewrite:[\w+-]+$/ : /^(?:rewrite:[\w+-]+\|)?mutant:[\w+-]+$/);
      expect(madeBy.replace(/rewrite:|mutant:/g, "").split(/[+|]/)).toEqual(operators);
    }
    const mutants = made.filter(({ kind }) => kind === "mutant");
    expect(share(({ kind }) => kind === "rewrite")).toBeGreaterThan(0.14);
    expect(share(({ kind }) => kind === "rewrite")).toBeLessThan(0.28);
    const depth = ({ madeBy }: Made): number => madeBy.replace(/^.*mutant:/, "").split("+").length;
    expect(share((m) => depth(m) === 1, mutants)).toBeGreaterThan(share((m) => depth(m) === 2, mutants));
    expect(share((m) => depth(m) === 2, mutants)).toBeGreaterThan(share((m) => depth(m) > 2, mutants));
    expect(share((m) => depth(m) > 2, mutants)).toBeGreaterThan(0.08);
    expect(share(({ madeBy }) => madeBy.includes("|"), mutants)).toBeGreaterThan(0.4);
  });

  it("makes nothing of what does not parse", async () => {
    expect(await makeCandidates("def f(:\n", { count: 5, seed: 1 })).toEqual([]);
    expect(await makeCandidates("", { count: 5, seed: 1 })).toEqual([]);
  });
});

/** Prints, for each candidate, whether it answers every call like its original. */
const compareInPython = `
import json, signal, sys
def late(*_): raise TimeoutError()
signal.signal(signal.SIGVTALRM, late)
def run(code, calls):
    env = {'__name__': 'candidate'}
    try: exec(compile(code, 'candidate', 'exec'), env)
    except BaseException as error: return type(error).__name__
    out = []
    for call in calls:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
        try: out.append(repr(eval(call, env)))
        except BaseException as error: out.append(type(error).__name__)
        finally: signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return out
json.dump([run(r['original'], r['calls']) == run(r['code'], r['calls']) for r in json.load(sys.stdin)], sys.stdout)
`;

/** Which candidates answer every call like their originals. */
function behavesAlike(candidates: readonly Made[]): boolean[] {
  const { stdout, stderr, status } = spawnSync("python3", ["-W", "ignore", "-c", compareInPython], {
    input: JSON.stringify(candidates),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as boolean[];
}

describe.skipIf(!python || process.platform === "win32")("running the candidates", () => {
  it("shows that every rewrite behaves as its original", () => {
    const rewrites = made.filter(({ kind }) => kind === "rewrite");
    const alike = behavesAlike(rewrites);
    expect(rewrites.filter((_, i) => !alike[i]).map(({ madeBy, code }) => `${madeBy}\n${code}`)).toEqual([]);
    expect(rewrites.length).toBeGreaterThan(100);
  });

  it("shows that nine in ten mutants do not", () => {
    const mutants = made.filter(({ kind }) => kind === "mutant");
    const alike = behavesAlike(mutants).filter(Boolean).length;
    expect(alike / mutants.length).toBeLessThan(0.1);
  });
});
