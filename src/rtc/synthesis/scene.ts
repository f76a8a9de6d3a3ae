/**
 * Prepares a span for judging by calls. Loads the recorded calls of its functions, replays them on the unchanged functions, and
 * keeps the calls that give the recorded outcome every time. Nothing is assumed of a function: a call that depends on the clock,
 * on files or on earlier calls gives another outcome and drops out. If no kept call notices that the span is deleted, calls do
 * not judge it.
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
  /** Numbers of the calls to make, in order. */
  readonly calls: readonly number[];
  /** The outcomes of these calls with the unchanged functions. `kept` says which of them count. */
  readonly expected: Outcomes;
  readonly kept: readonly boolean[];
  /** For each function: whether the calls distinguish it from itself without the span. */
  readonly shown: readonly boolean[];
  readonly limits: { readonly wallS: number; readonly cpuS: number };
  /** CPU seconds of the preparation. */
  readonly cpuS: number;
}

/** Maximum number of calls loaded for a span. */
const MOST_CALLS = 100;
/**
 * CPU seconds that the unchanged functions may take for all calls of a candidate. The first FEW_CALLS calls are made even if they
 * take more.
 */
const BUDGET_S = 0.01;
const FEW_CALLS = 5;
const FIRST_LIMITS = { wallS: 60, cpuS: 30 };

/** What is needed to judge the span's candidates by calls, or the reason why calls cannot. */
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
  if (loaded.functions.includes(false)) return "its module does not load it as one function";
  const all = [...chosen.keys()].filter((i) => loaded.calls[i]);
  if (all.length === 0) return "the arguments of its calls cannot be loaded";
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
  if (first === null || second === null) return "its function does not finish when its calls are replayed";
  const fit = [...all.keys()].filter((k) => {
    const [outcome, again, { outcome: before }] = [first.calls[k]!, second.calls[k]!, chosen[all[k]!]!];
    return isTelling(outcome) && isSteady(outcome, again) && (before === null || isAsRecorded(outcome, before));
  });
  const within = withinBudget(fit, (k) => first.calls[k]!.cpu);
  if (within.length === 0) return "its calls give other results when replayed";
  const calls = within.map((k) => all[k]!);
  const third = await run(texts, calls);
  if (third.outcomes === null) return "its function does not finish when its calls are replayed";
  const expected = steadyGlobals(third.outcomes, first, second);
  const kept = within.map((k, i) => isSteady(third.outcomes!.calls[i]!, first.calls[k]!));
  const limits = { wallS: Math.max(5, 20 * third.wallS), cpuS: Math.max(1, 20 * third.cpuS) };
  const shown = await Promise.all(
    deletionsOf(span, found).map(async (without) => {
      const { end, outcomes } = await run(without, calls, limits);
      return end !== "unfit" && firstDifference(outcomes, { expected, kept }) !== null;
    }),
  );
  if (!shown.includes(true)) return "its calls give the same results without it";
  return { scene, found, calls, expected, kept, shown, limits, cpuS };
}

/** How a candidate's outcomes differ from the expected ones. Null if they do not. */
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

/** Chooses calls that together take as many paths through the functions as possible. Paths through the span come first. */
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

/** The first few calls, and further calls until their total time exceeds the budget. */
function withinBudget(fit: readonly number[], cpu: (k: number) => number): number[] {
  let left = BUDGET_S;
  return fit.filter((k, i) => {
    left -= cpu(k);
    return i < FEW_CALLS || left >= 0;
  });
}

/** Keeps the data that the first two runs leave equal. The third run is not compared with them, because it may have made fewer calls. */
const steadyGlobals = (outcomes: Outcomes, first: Outcomes, second: Outcomes): Outcomes => ({
  ...outcomes,
  globals: Object.fromEntries(
    Object.entries(outcomes.globals).filter(([name]) => first.globals[name] === second.globals[name]),
  ),
});

/** One program per function: that function without the span, the others unchanged. */
const deletionsOf = (span: Span, found: SpanFunctions): (string | null)[][] =>
  deletions(span, found).map((text, i) => found.functions.map((_, k) => (k === i ? text : null)));
