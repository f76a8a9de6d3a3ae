/**
 * New inputs for a function: edge cases first, then type-aware mutation of the given inputs, with some generated
 * whole. Arguments keep the relations the given ones have in most proposals.
 * Source: EvalPlus (Liu et al. 2023, section 2.1); CodeScore (Dong et al. 2023, section 3.1.1), steps 1 and 2.
 */
import type { Problem, PyValue } from "../types.ts";
import { printLiteral } from "../util/python.ts";
import type { Random } from "../util/random.ts";
import { type Parameter, readSignature } from "./annotations.ts";
import { type Call, printCall, readCall, type Slot, withValue } from "./call.ts";
import { edgeCases } from "./edges.ts";
import { type Context, generate } from "./generate.ts";
import { collectIngredients } from "./ingredients.ts";
import { findRelations, type Relation } from "./relations.ts";
import { inferShape, type Shape } from "./shape.ts";
import { vary } from "./vary.ts";

/** Given calls with the same number of positional arguments and the same keywords. */
interface Form {
  readonly seeds: readonly Call[];
  readonly shapes: readonly Shape[];
  readonly relations: readonly Relation[];
}

/** An input longer than this, or than four times the longest given one, helps nobody read a failure. */
const longestInput = 2000;
const edgeShare = 0.12;
const generatedShare = 0.2;
/** A mutated input is mutated again at most so often (EvalPlus). */
const deepest = 5;
const madeUpSeeds = 5;

export function proposeCalls(problem: Problem, given: readonly string[], count: number, rng: Random): string[] {
  const calls = given.map(readCall);
  const values = calls.flatMap((call) => call.map(({ value }) => value).filter((value) => value !== null));
  const context: Context = { rng, ingredients: collectIngredients(values, problem.references) };
  const forms = readForms(problem, calls, context);
  const longest = Math.max(longestInput, ...given.map((args) => args.length * 4));
  const taken = new Set(calls.map(identity));
  const out: Call[] = [];
  const offer = (call: Call): boolean => {
    const key = identity(call);
    if (taken.has(key) || key.length > longest) return false;
    taken.add(key);
    out.push(call);
    return true;
  };
  const edges = rng.shuffle(forms.flatMap((form) => edgeCalls(form, context)));
  for (const call of edges) if (out.length < Math.ceil(count * edgeShare)) offer(call);
  const pools = forms.map((form) => ({ form, calls: form.seeds.map((call) => ({ call, depth: 0 })) }));
  if (pools.length === 0) return [];
  for (let misses = 0; out.length < count && misses < 50 + 4 * count; ) {
    const { form, calls: pool } = rng.pick(pools);
    const from = rng.pick(pool);
    const fresh = from.depth >= deepest || rng.chance(generatedShare);
    const call = fresh ? generateCall(form, from.call, context) : varyCall(form, from.call, context);
    if (!offer(call)) misses += 1;
    else if (!fresh) pool.push({ call, depth: from.depth + 1 });
  }
  return out.slice(0, count).map(printCall);
}

function readForms(problem: Problem, calls: readonly Call[], context: Context): Form[] {
  const { entryPoint } = problem;
  const signatures = [problem.prompt, ...problem.references].map((code) =>
    entryPoint === null ? null : readSignature(code, entryPoint),
  );
  const annotated = signatures.find((signature) => signature?.some(({ shape }) => shape.length > 0)) ?? null;
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    const key = call.map(({ name }) => name ?? "").join();
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  if (groups.size === 0) {
    const parameters = annotated ?? signatures.find((signature) => signature !== null) ?? [];
    return parameters.length > 0 ? [formOfSignature(parameters, context)] : [];
  }
  return [...groups.values()]
    .filter((seeds) => seeds[0]?.some(({ value }) => value !== null))
    .map((seeds) => formOfCalls(seeds, annotated ?? []));
}

/** No given input: a few made up from the annotations stand for them. */
function formOfSignature(parameters: readonly Parameter[], context: Context): Form {
  const shapes = parameters.filter(({ optional }) => !optional).map(({ shape }) => shape);
  const slot: Slot = { name: null, value: null, source: "" };
  const seeds = Array.from({ length: madeUpSeeds }, () =>
    shapes.map((shape) => withValue(slot, generate(shape, context))),
  );
  return { seeds, shapes, relations: [] };
}

function formOfCalls(seeds: readonly Call[], parameters: readonly Parameter[]): Form {
  const shapes = (seeds[0] as Call).map(({ name }, i) => {
    const seen = seeds.map((call) => call[i]?.value ?? null).filter((value) => value !== null);
    const parameter = name === null ? parameters[i] : parameters.find((p) => p.name === name);
    return inferShape(seen, parameter?.shape);
  });
  return { seeds, shapes, relations: findRelations(seeds.map((call) => call.map(({ value }) => value))) };
}

/** Every edge case of every argument, in a given call. */
function edgeCalls(form: Form, context: Context): Call[] {
  return form.shapes.flatMap((shape, i) =>
    edgeCases(shape, context).map((value) => {
      const call = context.rng.pick(form.seeds);
      return repaired(form, replaced(call, i, value), context.rng, i);
    }),
  );
}

function varyCall(form: Form, call: Call, context: Context): Call {
  const { rng } = context;
  const open = call.map((_, i) => i).filter((i) => call[i]?.value !== null);
  if (open.length === 0) return call; // expressions such as `[20] * 10`, which are left as they are
  const first = rng.pick(open);
  const chosen = open.filter((i) => i === first || rng.chance(0.3));
  const changed = chosen.reduce(
    (now, i) => replaced(now, i, vary(call[i]?.value as PyValue, form.shapes[i] as Shape, context)),
    call,
  );
  return repaired(form, changed, rng, null);
}

function generateCall(form: Form, call: Call, context: Context): Call {
  const fresh = call.map((slot, i) =>
    slot.value === null ? slot : withValue(slot, generate(form.shapes[i] as Shape, context)),
  );
  return repaired(form, fresh, context.rng, null);
}

const replaced = (call: Call, at: number, value: PyValue): Call =>
  call.map((slot, i) => (i === at && slot.value !== null ? withValue(slot, value) : slot));

/** Brings the relations back, but for those that would change argument `fixed`. */
function repaired(form: Form, call: Call, rng: Random, fixed: number | null): Call {
  let out = call;
  for (const { slot, share, repair } of form.relations) {
    if (slot === fixed || !rng.chance(share)) continue;
    const value = repair(
      out.map((argument) => argument.value),
      rng,
    );
    if (value !== null) out = replaced(out, slot, value);
  }
  return out;
}

/** Equal for calls that say the same in other words: blanks, quotes, the order of a set. */
function identity(call: Call): string {
  return call
    .map(({ name, value, source }) => `${name ?? ""}=${value === null ? source : printLiteral(sortedSets(value))}`)
    .join(", ");
}

function sortedSets(value: PyValue): PyValue {
  switch (value.t) {
    case "list":
    case "tuple":
      return { t: value.t, v: value.v.map(sortedSets) };
    case "set":
    case "frozenset": {
      const printed = value.v.map((item) => [printLiteral(sortedSets(item)), item] as const);
      return { t: value.t, v: printed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item) };
    }
    case "dict":
      return { t: "dict", v: value.v.map(([k, v]) => [sortedSets(k), sortedSets(v)] as const) };
    default:
      return value;
  }
}
