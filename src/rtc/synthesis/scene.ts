/**
 * Prepares a span for being judged by calls: loads the recorded calls of its functions, runs the functions as they are on them, and keeps the calls
 * that come to what was recorded, each time. Nothing is assumed of a function; a call that hangs on the clock, on files or on
 * what ran before it comes to something else, and is left out. A span whose deletion no kept call shows is not judged by calls.
 */
import type { ProjectReplay } from "../../execute/index.ts";
import type { ReplayScene } from "../../execute/project/replay.ts";
import { deletions, functionsOf, originals, type SpanFunctions, withoutBodies } from "./functions.ts";
import type { RecordedCall } from "./recorded.ts";
import {
  differenceOf,
  globalDifference,
  isAsRecorded,
  isSteady,
  isTelling,
  type Outcomes,
  readOutcomes,
} from "./replays.ts";
import type { Span } from "./span.ts";

export interface Prepared {
  readonly scene: ReplayScene;
  readonly found: SpanFunctions;
  /** Numbers of the calls that are made, in order. */
  readonly calls: readonly number[];
  /** What these come to in the functions as they are; `kept` says which of them count. */
  readonly expected: Outcomes;
  readonly kept: readonly boolean[];
  /** By function: whether the calls tell it from itself without the span. */
  readonly shown: readonly boolean[];
  readonly limits: { readonly wallS: number; readonly cpuS: number };
  /** CPU seconds of preparing it. */
  readonly cpuS: number;
}

/** Calls of a span that are loaded. */
const MOST_CALLS = 100;
/** CPU seconds of the functions as they are, for all calls of a candidate; a few calls are made whatever they take. */
const BUDGET_S = 0.01;
const FEW_CALLS = 5;
const FIRST_LIMITS = { wallS: 60, cpuS: 30 };

/** What is needed to judge the span's candidates by calls; or why they cannot be. */
export async function prepare(
  span: Span,
  recorded: readonly RecordedCall[],
  replay: Pick<ProjectReplay, "open" | "run">,
): Promise<Prepared | string> {
  const found = await functionsOf(span);
  if (typeof found === "string") return found;
  const chosen = chooseCalls(span, found, recorded);
  if (chosen.length === 0) return "the tests do not call its function with arguments that can be copied";
  const scene = sceneOf(span, found, chosen);
  const loaded = await replay.open(scene);
  if (typeof loaded === "string") return loaded;
  if (loaded.functions.includes(false)) return "its function is not one function when its module is loaded";
  const all = [...chosen.keys()].filter((i) => loaded.calls[i]);
  if (all.length === 0) return "no arguments of its calls can be loaded again";
  const texts = originals(span, found);
  let cpuS = loaded.cpuS;
  const run = async (these: readonly (string | null)[], calls: readonly number[], limits = FIRST_LIMITS) => {
    const functions = these.map((text, number) => ({
      number,
      text: text ?? texts[number]!,
      path: found.functions[number]!.path,
    }));
    const replayed = await replay.run({ functions, calls }, limits);
    cpuS += replayed.cpuS;
    return { ...replayed, outcomes: readOutcomes(replayed, calls.length) };
  };
  const [first, second] = [(await run(texts, all)).outcomes, (await run(texts, all)).outcomes];
  if (first === null || second === null) return "its function does not answer when its calls are replayed";
  const fit = [...all.keys()].filter((k) => {
    const [outcome, again, { outcome: before }] = [first.calls[k]!, second.calls[k]!, chosen[all[k]!]!];
    return isTelling(outcome) && isSteady(outcome, again) && (before === null || isAsRecorded(outcome, before));
  });
  const within = withinBudget(fit, (k) => first.calls[k]!.cpu);
  if (within.length === 0) return "its calls do not come to the same when they are replayed";
  const calls = within.map((k) => all[k]!);
  const third = await run(texts, calls);
  if (third.outcomes === null) return "its function does not answer when its calls are replayed";
  const expected = steadyGlobals(third.outcomes, first, second);
  const kept = within.map((k, i) => isSteady(third.outcomes!.calls[i]!, first.calls[k]!));
  const limits = { wallS: Math.max(5, 20 * third.wallS), cpuS: Math.max(1, 20 * third.cpuS) };
  const shown = await Promise.all(
    deletionsOf(span, found).map(async (without) => {
      const { end, outcomes } = await run(without, calls, limits);
      return end !== "unfit" && firstDifference(outcomes, { expected, kept }) !== null;
    }),
  );
  if (!shown.includes(true)) return "its calls do not show that it is deleted";
  return { scene, found, calls, expected, kept, shown, limits, cpuS };
}

/** How a candidate's outcomes differ from the expected ones; null where they do not. */
export function firstDifference(
  got: Outcomes | null,
  { expected, kept }: Pick<Prepared, "expected" | "kept">,
): string | null {
  if (got === null) return "it does not answer";
  for (const [i, outcome] of expected.calls.entries()) {
    const difference = kept[i] ? differenceOf(got.calls[i]!, outcome) : null;
    if (difference !== null) return `call ${i + 1}: ${difference}`;
  }
  return globalDifference(got.globals, expected.globals);
}

/** Calls that take as many ways through the functions as there are, those first that go through the span. */
function chooseCalls(span: Span, { functions }: SpanFunctions, recorded: readonly RecordedCall[]): RecordedCall[] {
  const lineAt = (at: number): number => span.file.text.slice(0, at).split("\n").length;
  const [first, last] = [lineAt(span.start), lineAt(span.end)];
  const byWay = new Map<string, RecordedCall[]>();
  for (const call of recorded) {
    if (call.file !== span.file.path || !functions.some(({ start }) => start === call.function.start)) continue;
    const key = `${call.function.start}:${call.way}`;
    const those = byWay.get(key);
    if (those) those.push(call);
    else byWay.set(key, [call]);
  }
  const goesThrough = ([call]: readonly RecordedCall[]): boolean =>
    call!.lines.some((line) => first <= line && line <= last);
  const ways = [...byWay.values()].sort((a, b) => Number(goesThrough(b)) - Number(goesThrough(a)));
  const chosen: RecordedCall[] = [];
  for (let round = 0; chosen.length < MOST_CALLS && ways.some((way) => way.length > round); round++) {
    chosen.push(...ways.flatMap((way) => way[round] ?? []));
  }
  return chosen.slice(0, MOST_CALLS);
}

function sceneOf(span: Span, { functions }: SpanFunctions, calls: readonly RecordedCall[]): ReplayScene {
  const { text, lines } = withoutBodies(span, functions);
  return {
    file: span.file.path,
    text,
    original: span.file.text,
    module: calls[0]!.module,
    functions: functions.map(({ name }, i) => ({ line: lines[i]!, name })),
    calls: calls.map((call) => ({
      function: functions.findIndex(({ start }) => start === call.function.start),
      arguments: call.arguments,
    })),
  };
}

/** The first few, and as many more as take no longer than the budget together. */
function withinBudget(fit: readonly number[], cpu: (k: number) => number): number[] {
  let left = BUDGET_S;
  return fit.filter((k, i) => {
    left -= cpu(k);
    return i < FEW_CALLS || left >= 0;
  });
}

/** Data that two runs leave alike; a third may have made other calls. */
const steadyGlobals = (outcomes: Outcomes, first: Outcomes, second: Outcomes): Outcomes => ({
  ...outcomes,
  globals: Object.fromEntries(
    Object.entries(outcomes.globals).filter(([name]) => first.globals[name] === second.globals[name]),
  ),
});

/** A program a function: that function without the span, the others as they are. */
const deletionsOf = (span: Span, found: SpanFunctions): (string | null)[][] =>
  deletions(span, found).map((text, i) => found.functions.map((_, k) => (k === i ? text : null)));
