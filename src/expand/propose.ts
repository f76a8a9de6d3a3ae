/**
 * New inputs for a function: edge cases first, then type-aware mutations of the given inputs, and some generated from
 * scratch. Most proposals keep the relations between arguments that the given ones have.
 * Source: EvalPlus (Liu et al. 2023, section 2.1); CodeScore (Dong et al. 2023, section 3.1.1), steps 1 and 2.
 */

import { printLiteral } from "../languages/python/literals/index.ts";
import type { Problem, PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { asMatrix, type Parameter, readSignature, spelled } from "./annotations.ts";
import { type Call, readCall, type Slot, withValue } from "./call.ts";
import { edgeCases } from "./edges.ts";
import { type Context, generate, keepShare } from "./generate.ts";
import { collectIngredients, lettersOf } from "./ingredients.ts";
import { parallelRelations } from "./parallel.ts";
import { findRelations, type Relation } from "./relations.ts";
import { inferShape, type Shape } from "./shape.ts";
import { vary } from "./vary.ts";

/** Given calls with the same number of positional arguments and the same keywords. */
interface Form {
  readonly seeds: readonly Call[];
  readonly shapes: readonly Shape[];
  readonly relations: readonly Relation[];
}

/** Maximum characters of an input, or four times the longest given one if that is more. A longer input makes failures hard to read. */
const longestInput = 2000;
const edgeShare = 0.12;
const generatedShare = 0.2;
/** Maximum number of successive mutations of an input (EvalPlus). */
const deepest = 5;
const madeUpSeeds = 5;
/** Maximum number of values made for all made-up seeds, and for all edge cases. */
const mostMadeUp = 20_000;

/** Proposes calls, more of them each time it is asked, never the same one twice. */
export class CallProposer {
  readonly #context: Context;
  readonly #forms: readonly Form[];
  readonly #pools: readonly {
    readonly form: Form;
    readonly calls: { readonly call: Call; readonly depth: number }[];
  }[];
  readonly #edges: Call[];
  readonly #taken: Set<string>;
  readonly #longest: number;

  constructor(problem: Problem, given: readonly string[], rng: Random) {
    const calls = given.map(readCall);
    const values = calls.flatMap((call) => call.map(({ value }) => value).filter((value) => value !== null));
    this.#longest = Math.max(longestInput, ...given.map((args) => args.length * 4));
    this.#context = { rng, ingredients: collectIngredients(values, problem.references), left: mostMadeUp };
    this.#forms = readForms(problem, calls, this.#context);
    this.#taken = new Set(calls.map(identity));
    this.#context.left = mostMadeUp;
    this.#edges = rng.shuffle(this.#forms.flatMap((form) => edgeCalls(form, this.#context)));
    this.#pools = this.#forms.map((form) => ({ form, calls: form.seeds.map((call) => ({ call, depth: 0 })) }));
  }

  /** `count` calls, or fewer if the types have no more values. Calls that `likely` refuses are mostly skipped. */
  next(count: number, likely: (call: Call) => boolean): Call[] {
    const { rng } = this.#context;
    const out: Call[] = [];
    const offer = (call: Call): boolean => {
      const key = identity(call);
      if (this.#taken.has(key) || key.length > this.#longest) return false;
      if (!likely(call) && rng.chance(keepShare)) return false;
      this.#taken.add(key);
      out.push(call);
      return true;
    };
    for (const most = Math.ceil(count * edgeShare); out.length < most && this.#edges.length > 0; ) {
      offer(this.#edges.pop() as Call);
    }
    for (let misses = 0; this.#pools.length > 0 && out.length < count && misses < 50 + 4 * count; ) {
      const { form, calls } = rng.pick(this.#pools);
      const from = rng.pick(calls);
      const fresh = from.depth >= deepest || rng.chance(generatedShare);
      this.#context.left = this.#longest / 3; // a value takes three characters (`1, `): with more values the call would be too long
      const call = fresh ? generateCall(form, from.call, this.#context) : varyCall(form, from.call, this.#context);
      if (!offer(call)) misses += 1;
      else if (!fresh) calls.push({ call, depth: from.depth + 1 });
    }
    return out;
  }
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
    const known = annotated?.every(({ shape, optional }) => optional || shape.length > 0);
    return annotated && known ? [formOfSignature(annotated, problem.references, context)] : []; // without types nothing can be made up
  }
  return [...groups.values()]
    .filter((seeds) => seeds[0]?.some(({ value }) => value !== null))
    .map((seeds) => formOfCalls(seeds, annotated ?? []));
}

/** For a problem without given inputs: a few seeds made up from the annotations replace them. */
function formOfSignature(parameters: readonly Parameter[], references: readonly string[], context: Context): Form {
  const given = parameters.filter(({ optional }) => !optional);
  const letters = lettersOf(references);
  const source = references[0] ?? "";
  const shapes = given.map(({ name, shape }) => asMatrix(spelled(shape, letters), name, source));
  const slot: Slot = { name: null, value: null, source: "" };
  const seeds = Array.from({ length: madeUpSeeds }, () =>
    shapes.map((shape) => withValue(slot, generate(shape, context))),
  );
  const names = given.map(({ name }) => name);
  return { seeds, shapes, relations: parallelRelations(source, names, seeds) };
}

function formOfCalls(seeds: readonly Call[], parameters: readonly Parameter[]): Form {
  const shapes = (seeds[0] as Call).map(({ name }, i) => {
    const seen = seeds.map((call) => call[i]?.value ?? null).filter((value) => value !== null);
    const parameter = name === null ? parameters[i] : parameters.find((p) => p.name === name);
    return inferShape(seen, parameter?.shape);
  });
  return { seeds, shapes, relations: findRelations(seeds.map((call) => call.map(({ value }) => value))) };
}

/** Every edge case of every argument, each inserted into a given call. */
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
  if (open.length === 0) return call; // all arguments are expressions such as `[20] * 10`, which do not change
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

/** Restores the relations, except those that would change argument `fixed`. */
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

/** A text that is equal for calls that differ only in notation: blanks, quotes, the order of a set. */
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
