/** Constraints on the arguments of a class's constructor and methods. Parameters of one name mean the same in all of them. */
import { parseArguments, printLiteral } from "../../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../../types.ts";
import type { Method } from "../classes.ts";
import { holdsFor } from "./check.ts";
import { Constraints, readConstraints } from "./index.ts";
import type { Constraint } from "./parts.ts";
import { repaired } from "./repair.ts";

/** A call: the name, and the arguments. */
export type Call = readonly PyValue[];

export const printCalls = (calls: readonly Call[]): string =>
  printLiteral({ t: "list", v: calls.map((call): PyValue => ({ t: "tuple", v: call })) });

/** The calls of an input; null if it is no sequence of calls. */
export function callsOf(input: ProgramInput): readonly Call[] | null {
  const [calls] = parseArguments("args" in input ? input.args : "").positional;
  return calls?.t === "list" ? calls.v.map((call): Call => (call.t === "tuple" ? call.v : [])) : null;
}

interface OfMethod {
  readonly slots: readonly number[];
  readonly constraints: readonly Constraint[];
}

export class CallConstraints extends Constraints {
  readonly #names: readonly string[];
  readonly #sample: readonly PyValue[];
  readonly #found: readonly Constraint[];
  readonly #methods: ReadonlyMap<string, OfMethod>;

  /** `likely`: a likely value of a parameter. `body`: the code of the class. */
  constructor(
    methods: readonly Method[],
    description: string,
    body: string,
    likely: (parameter: Method["parameters"][number]) => PyValue,
  ) {
    super([]);
    const parameters = new Map(methods.flatMap((method) => method.parameters).map((one) => [one.name, one]));
    this.#names = [...parameters.keys()];
    this.#sample = [...parameters.values()].map(likely);
    const args = this.#sample.map(printLiteral).join(", ");
    this.#found = readConstraints(description, this.#names, { args }, [], body).all;
    this.#methods = new Map(
      methods.map(({ name, parameters: own }) => {
        const slots = own.map((parameter) => this.#names.indexOf(parameter.name));
        return [
          name,
          { slots, constraints: this.#found.filter((one) => slotsOf(one).every((i) => slots.includes(i))) },
        ];
      }),
    );
  }

  override hold(input: ProgramInput): boolean {
    return (callsOf(input) ?? []).every((call) => {
      const { constraints, values } = this.#read(call);
      return constraints.every((constraint) => holdsFor(constraint, values));
    });
  }

  override fitted(input: ProgramInput): ProgramInput {
    const calls = callsOf(input);
    return calls === null ? input : { args: printCalls(calls.map((call) => this.fittedCall(call))) };
  }

  /** The call with its arguments changed to satisfy the constraints; the call itself if that fails. */
  fittedCall(call: Call): Call {
    const { constraints, values, slots } = this.#read(call);
    const changed = constraints.length === 0 ? null : repaired(values, constraints, this.#sample);
    return changed === null ? call : call.map((value, i) => (i === 0 ? value : (changed[slots[i - 1]!] ?? value)));
  }

  /** The types that a parameter may have; null if nothing is said. */
  typesOf(name: string): readonly PyValue["t"][] | null {
    const slot = this.#names.indexOf(name);
    const said = this.#found.find(
      (one) => one.kind === "types" && one.part.slot === slot && one.part.path.length === 0,
    );
    return said?.kind === "types" ? said.types : null;
  }

  /** The value of a parameter changed to satisfy the constraints on it alone. */
  fittedValue(name: string, value: PyValue): PyValue {
    const slot = this.#names.indexOf(name);
    const own = this.#found.filter((one) => slotsOf(one).every((i) => i === slot));
    return (own.length === 0 ? null : repaired(this.#sample.with(slot, value), own, this.#sample))?.[slot] ?? value;
  }

  #read(call: Call): OfMethod & { readonly values: readonly PyValue[] } {
    const name = call[0]?.t === "str" ? call[0].v : "";
    const own = this.#methods.get(name) ?? { slots: [], constraints: [] };
    const values = [...this.#sample];
    for (const [i, slot] of own.slots.entries()) values[slot] = call[i + 1] ?? values[slot]!;
    return { ...own, values };
  }
}

/** The indices of the parameters that a constraint speaks of. */
const slotsOf = (one: Constraint): number[] =>
  (one.kind === "order" ? [one.left.part, one.right.part] : [one.part]).flatMap((part) =>
    part === null ? [] : [part.slot],
  );
