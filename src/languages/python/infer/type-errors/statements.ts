/** Visits the statements of a function in execution order. */

import { forEach, isName, namesIn, type Term, type TermOf } from "../../normalize/canonical/terms.ts";
import { nameOf } from "../returns/families.ts";
import { guarded, narrow } from "./conditions.ts";
import { WALKED } from "./library.ts";
import { ofModule, operation } from "./operators.ts";
import { ANYTHING, itemOf, of, type Shape } from "./shapes.ts";
import { meet, type Names, State, type Variables } from "./state.ts";
import { bind, forget } from "./targets.ts";
import { shapeOf } from "./values.ts";

/** Loops nested deeper than this are visited once, and nothing is assumed about the variables that they change. */
const DEEPEST = 4;

export function run(statement: Term, state: State): void {
  if (state.variables === null) return;
  if (statement.kind === "block") {
    for (const item of statement.items) run(item, state);
    return;
  }
  const around = state.statement;
  state.statement = statement;
  step(statement, state);
  state.statement = around;
}

function step(statement: Term, state: State): void {
  switch (statement.kind) {
    case "assign":
      forget(statement.items[1], state);
      bind(statement.items[0], shapeOf(statement.items[1], state), state);
      return;
    case "annotated":
      bind(statement.items[0], ANYTHING, state);
      return;
    case "chain": {
      const value = shapeOf(statement.items.at(-1)!, state);
      for (const target of statement.items.slice(0, -1)) bind(target, value, state);
      return;
    }
    case "augment": {
      const [target, value] = statement.items;
      augment(target, shapeOf(target, state), statement.text.replace(/=$/, ""), shapeOf(value, state), state);
      return;
    }
    case "return":
      state.returned.push(shapeOf(statement.items[0], state));
      state.variables = null;
      return;
    case "raise":
      state.variables = null;
      return;
    case "break":
    case "continue":
      state.left.at(-1)?.push(state.variables!);
      state.variables = null;
      return;
    case "assert":
      shapeOf(statement.items[0], state);
      narrow(statement.items[0], state, false);
      return;
    case "if":
      branch(statement.items[0], statement.items[1], statement.items[2], state);
      return;
    case "while":
      loop(state, statement, () => {
        shapeOf(statement.items[0], state);
        narrow(statement.items[0], state, false);
        return statement.items[1];
      });
      run(statement.items[2], state);
      return;
    case "for": {
      const [target, over, body, last] = statement.items;
      const walked = shapeOf(over, state);
      state.expect(walked, WALKED);
      loop(state, statement, () => {
        bind(target, itemOf(walked), state);
        return body;
      });
      run(last, state);
      return;
    }
    case "try":
      attempt(statement.items, state);
      return;
    case "with":
      for (const item of statement.items[0].items) {
        shapeOf(item.items[0]!, state);
        if (item.items[1]!.kind !== "nothing") bind(item.items[1]!, ANYTHING, state);
      }
      run(statement.items[1], state);
      return;
    case "function":
      state.set(nameOfDefinition(statement), of("function"));
      inner(statement, state);
      return;
    case "class":
      state.set(nameOfDefinition(statement), ANYTHING);
      return;
    case "import":
      for (const { text } of statement.items) {
        if (statement.text !== "" && text !== "*") ofModule(statement.text, text.split(" ")[0]!, state);
      }
      return;
    case "delete":
      for (const item of statement.items) if (!isName(item)) shapeOf(item, state);
      return;
    default:
      for (const item of statement.items) shapeOf(item, state);
  }
}

export const nameOfDefinition = ({ text }: Term): string => text.replace(/^.* /, "");

/** Checks a nested function. Nothing is known about its arguments. */
function inner({ items: [, { items: parameters }, body] }: TermOf<"function">, state: State): void {
  const own = new State(state.around, namesOf(parameters, body));
  own.level = "branch";
  own.silent = state.silent;
  for (const parameter of parameters) own.set(nameOf(parameter).text, ANYTHING);
  run(body, own);
}

function augment(target: Term, before: Shape, operator: string, value: Shape, state: State): void {
  // `list += x` accepts any iterable.
  if (operator === "+" && before.types?.has("list")) {
    if (before.types.size === 1) state.expect(value, WALKED);
    bind(target, { ...of("list"), item: null }, state);
  } else bind(target, operation(operator, before, value, state), state);
}

function branch(condition: Term, yes: Term, no: Term, state: State): void {
  shapeOf(condition, state);
  const outcome = (body: Term): State["variables"] =>
    guardedRun(condition, state, () => {
      run(body, state);
    });
  const [first, second] = [outcome(yes), outcome(no)];
  state.variables = meet(first, second);
}

function guardedRun(condition: Term, state: State, walk: () => void): State["variables"] {
  let after: State["variables"] = null;
  guarded(condition, state, () => {
    walk();
    after = state.variables;
  });
  return after;
}

/** Visits a loop. `enter` runs before each round and returns the body. */
function loop(state: State, statement: Term, enter: () => Term): void {
  const entry = state.variables!;
  const deep = state.left.length >= DEEPEST;
  const round = (before: Variables): Variables => {
    state.variables = new Map(before);
    if (deep) forgetAssigned(statement, state);
    state.left.push([]);
    state.at("loop", () => run(enter(), state));
    return [...state.left.pop()!, state.variables].reduce<Variables>((a, b) => meet(a, b)!, before);
  };
  let before = entry;
  // Each round starts with what the previous one left.
  if (!deep) for (let i = 0; i < 2; i++) before = state.quietly(() => round(before));
  state.variables = round(before);
}

function forgetAssigned(statement: Term, state: State): void {
  forEach(statement, (part) => {
    if (/^(?:assign|augment|for|forin|walrus|chain|withitem)$/.test(part.kind)) {
      for (const target of part.items) forEach(target, (name) => isName(name) && state.set(name.text, ANYTHING));
    }
  });
}

function attempt([body, handlers, no, last]: readonly Term[], state: State): void {
  const before = state.variables;
  const caught = handlers!.items.length > 0;
  const walk = (): void => {
    run(body!, state);
    run(no!, state);
  };
  if (caught) state.quietly(walk);
  else walk();
  const outs = [state.variables];
  // It is unknown where in the body the exception occurred.
  for (const handler of handlers!.items) {
    state.variables = before && new Map(before);
    forgetAssigned(body!, state);
    const [, name, block] = handler.items;
    if (isName(name)) state.set(name.text, ANYTHING);
    state.at("branch", () => run(block!, state));
    outs.push(state.variables);
  }
  state.variables = outs.reduce((a, b) => meet(a, b));
  run(last!, state);
}

/** The names in a function. */
export function namesOf(parameters: readonly Term[], body: Term): Names {
  const [locals, shared, changed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const take = (target: Term): void => {
    if (isName(target)) locals.add(target.text);
    else if (/^(?:tuple|list|star)$/.test(target.kind)) target.items.forEach(take);
  };
  const visit = (part: Term): void => {
    const { kind, items } = part;
    if (kind === "assign" || kind === "augment" || kind === "for" || kind === "annotated") take(items[0]!);
    else if (kind === "chain") items.slice(0, -1).forEach(take);
    else if (kind === "withitem" || kind === "handler") take(items[1]!);
    else if (kind === "function" || kind === "class") {
      locals.add(nameOfDefinition(part));
      for (const name of namesIn(part)) shared.add(name);
    }
    if (kind !== "function" && kind !== "class" && kind !== "lambda" && kind !== "comprehension") items.forEach(visit);
  };
  visit(body);
  for (const parameter of parameters) locals.add(nameOf(parameter).text);
  forEach(body, ({ kind, items }) => {
    if (kind === "global" || kind === "delete") for (const { text } of items) changed.add(text);
    if (kind === "walrus") changed.add(items[0].text);
  });
  return { locals, shared, changed };
}
