/**
 * Inputs for a class: an object is made, and its methods are called in turn. Written as `[('Stack',), ('push', 3), ('pop',)]`. Their answer is
 * what the calls return, one after the other.
 */
import type { Executor } from "../execute/index.ts";
import { newValues } from "../expand/index.ts";
import { parseArguments, parseLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { Random } from "../util/random.ts";
import { isKey, likelihoodsIn, pools, rank, type Source } from "./call-values.ts";
import { attributesOf, type Class, classesOf, type Method, methodsOf } from "./classes.ts";
import { closureOf } from "./closures.ts";
import { type Call, CallConstraints, printCalls } from "./constraints/calls.ts";
import { calledBy, setupOf } from "./entry.ts";
import { KINDS } from "./kinds.ts";
import { quotedTexts } from "./quoted.ts";
import { shownCallsOf } from "./shown-calls.ts";
import { answersWithin, MOST_LATE, type TrialLimit } from "./steps.ts";
import { inTime, timesAscend } from "./times.ts";
import type { Entry, Task } from "./types.ts";
import { argumentsByUse } from "./uses/index.ts";

/** Number of calls after the constructor, those that raise an exception among them. */
const LEAST_CALLS = 2;
const MOST_CALLS = 12;
/** Some sequences are longer: what a full cache forgets shows after many calls. */
const LONG_SHARE = 0.3;
const LONGEST_CALLS = 24;
/** Number of argument lists that are made from the uses of a method's parameters. */
const USED = 40;
/** How often a call has optional arguments. */
const OPTION_SHARE = 0.3;
/** If fewer than this share of the proposed sequences return, all parameters are doubtful (`call-values.ts`). */
const FEW = 0.25;
/** How often a sequence has only some methods (swarm testing, Groce et al. 2012), and the share of methods that it has. */
const SOME_SHARE = 0.4;
const METHOD_SHARE = 0.6;
/** How often a sequence ends with the methods that may only tell what the object holds. */
const ASKED_SHARE = 0.85;
/** How often a call is one of a method that may change the object. */
const CHANGING_SHARE = 0.2;

/** The method that reads an attribute. */
const ATTRIBUTE: PyValue = { t: "str", v: "__getattribute__" };

/**
 * The class whose objects are the subject of a task, or the function that returns a function; null if there is none. A method that is named as
 * the entry point is called alone.
 */
export function subjectOf({ reference, entryPoint }: Task, entry: Entry): Class | null {
  if (reference === null || entry.kind === "stdin") return null;
  const closure = closureOf(reference, entry.name);
  if (closure !== null) return closure;
  const [, holder] = /^(\w+)\(\)\.\w+$/.exec(entry.name) ?? [];
  const name = entryPoint || entry.shows === "calls" ? entry.name : holder;
  if (name === undefined || name === "Solution") return null;
  return classesOf(reference).find((one) => one.name === name && one.methods.length > 0) ?? null;
}

/** Up to `count` sequences without the calls on which the reference raises an exception. */
export async function sequences(
  task: Task,
  subject: Class,
  executor: Executor,
  { count, seed, limit }: { readonly count: number; readonly seed: number; readonly limit: TrialLimit },
): Promise<ProgramInput[]> {
  const code = task.reference as string;
  const methods = methodsOf(subject, task.description ?? "");
  const kinds = new Map<string, number[]>();
  const constraints = constraintsOnCalls(task, subject);
  const used = await valuesByUse(task, methods, seed);
  const shown = shownCallsOf(methods, task.description ?? "");
  const propose = (doubtful: ReadonlySet<string>): Call[][] => {
    const rng = new Random(seed);
    const description = task.description ?? "";
    const attributes = attributesOf(subject, description);
    const source = {
      attributes,
      body: subject.body,
      description,
      kinds,
      doubtful,
      constraints,
      used,
      shown: shown.values,
    };
    const reads = attributes.map((name): Call => [ATTRIBUTE, { t: "str", v: name }]);
    const asShown = shown.sequences.map((calls): Call[] => [...calls, ...reads]);
    return [...asShown, ...Array.from({ length: count }, () => sequence(methods, source, rng))];
  };
  const entry = { kind: "call", name: subject.name, shows: "kept" } as const;
  const returning = async (proposed: readonly Call[][]): Promise<string[]> => {
    const answers = await answersWithin(
      executor,
      { code, entryPoint: calledBy(entry), setup: setupOf(entry) },
      proposed.map((calls) => ({ args: printCalls(calls) })),
      { ...limit, mostLate: MOST_LATE },
    );
    const kept = answers.map((answer, i) => {
      if (answer.outcome !== "ok" || answer.value.t !== "list") return [];
      const places = new Set(answer.value.v.map((place) => (place.t === "int" ? Number(place.v) : -1)));
      return proposed[i]!.filter((_, place) => places.has(place));
    });
    return [...new Set(kept.filter((calls) => calls.length > 1).map(printCalls))];
  };
  const likeliest = await returning(propose(new Set()));
  const isFew = likeliest.length < FEW * count;
  const returns = ({ name }: Method): boolean =>
    name === subject.name || likeliest.some((text) => text.includes(`('${name}',`));
  const namesOf = (some: readonly Method[]): string[] => some.flatMap((one) => one.parameters.map(({ name }) => name));
  const certain = new Set(namesOf(methods.filter((method) => !isFew && returns(method))));
  const doubtful = new Set(namesOf(methods).filter((name) => !certain.has(name)));
  const texts = doubtful.size === 0 ? likeliest : [...likeliest, ...(await returning(propose(doubtful)))];
  return [...new Set(texts)].map((args) => ({ args }));
}

/** Values of the parameters that the code takes apart, such as records. */
async function valuesByUse(
  task: Task,
  methods: readonly Method[],
  seed: number,
): Promise<Map<string, readonly PyValue[]>> {
  const found = new Map<string, readonly PyValue[]>();
  for (const method of methods) {
    const required = method.parameters.filter(({ optional }) => !optional);
    const lists = await argumentsByUse(task.reference as string, method.defined, required, {
      count: USED,
      seed,
      description: task.description,
      shown: quotedTexts(task.description),
      isSigned: false,
    });
    const values = lists.map((args) => parseArguments(args).positional);
    for (const [i, parameter] of required.entries())
      if (values.length > 0 && !found.has(parameter.name))
        found.set(
          parameter.name,
          values.flatMap((all) => all[i] ?? []),
        );
  }
  return found;
}

/** What a description says of the arguments of a class's methods. */
export function constraintsOnCalls({ description }: Task, subject: Class): CallConstraints {
  const { body } = subject;
  const all = methodsOf(subject, description ?? "");
  const rng = new Random(0);
  return new CallConstraints(all, description ?? "", body, (parameter) => {
    if (parameter.shape.length > 0) return newValues(parameter.shape, 1, rng, body)[0]!;
    const weights = likelihoodsIn(parameter.name, body, description ?? "");
    return parseLiteral(KINDS[rank(weights)[0]!]!.literals[0]!);
  });
}

function sequence(methods: readonly Method[], source: Source, rng: Random): Call[] {
  const { body, description, constraints } = source;
  const poolOf = pools(source, rng);
  const callOf = ({ name, parameters }: Method): Call => {
    const required = parameters.filter(({ optional }) => !optional).length;
    const given = rng.chance(OPTION_SHARE) ? rng.int(required, parameters.length) : required;
    const values = parameters.slice(0, given).map((parameter) => rng.pick(poolOf(parameter)));
    return constraints.fittedCall([{ t: "str", v: name }, ...values]);
  };
  /** What an object holds under each key. */
  const askedOf = (method: Method): Call[] => {
    const [key, ...more] = method.parameters.filter(({ optional }) => !optional);
    if (key === undefined || more.length > 0) return [callOf(method)];
    return poolOf(key).map((value) => constraints.fittedCall([{ t: "str", v: method.name }, value]));
  };
  const [maker, ...others] = methods as [Method, ...Method[]];
  const making = callOf(maker);
  const some = rng.chance(SOME_SHARE) ? others.filter(() => rng.chance(METHOD_SHARE)) : others;
  const length = rng.chance(LONG_SHARE) ? rng.int(MOST_CALLS, LONGEST_CALLS) : rng.int(LEAST_CALLS, MOST_CALLS);
  const all = some.length > 0 ? some : others;
  const changing = all.filter((method) => !isQuestion(method, body));
  const calls = Array.from({ length }, () =>
    callOf(rng.pick(changing.length > 0 && rng.chance(CHANGING_SHARE) ? changing : all)),
  );
  if (rng.chance(ASKED_SHARE))
    calls.push(...others.filter((method) => isQuestion(method, body)).flatMap((method) => askedOf(method)));
  const reads = source.attributes.map((name): Call => [ATTRIBUTE, { t: "str", v: name }]);
  return [making, ...(timesAscend(description) ? inTime(calls, methods) : calls), ...reads];
}

/** Whether a method may only tell what an object holds: it takes keys alone. */
const isQuestion = ({ parameters }: Method, body: string): boolean => parameters.every(({ name }) => isKey(name, body));
