/**
 * Asks the models for forward samples of every trip, for backward samples of every forward sample, and for the baseline: the
 * backward model on the uninformative description. A failure of one trip does not affect the others. A failure that all trips
 * would share ends the run.
 */
import { CodescoreError, messageOf } from "../../errors.ts";
import { readFences } from "../../languages/fences.ts";
import { type Direction, type Llm, limiter, type Message } from "../llm/llm.ts";
import type { AnyTask, OpenTrip, RoundTrip, SamplingOptions } from "./trip.ts";

/** One candidate. */
export interface Sampled {
  readonly trip: RoundTrip;
  readonly kind: "round_trip" | "baseline";
  /** The repeated run that it belongs to. */
  readonly repeat: number;
  /** Index of the forward sample over all repeats. Null for the baseline. */
  readonly forward: number | null;
  /** Index of the backward sample within its forward sample. */
  readonly backward: number;
  /** The description that the backward model was given. */
  readonly description: string;
  /** The forward model's answer was longer than the limit and was cut. */
  readonly cut: boolean;
  /** The backward model's answer. */
  readonly answer: string;
  readonly candidate: string;
}

export interface Failure {
  readonly task_id: string;
  readonly direction: Direction;
  readonly message: string;
}

export interface SamplingResult {
  readonly samples: readonly Sampled[];
  readonly failures: readonly Failure[];
}

export interface SamplingRun {
  readonly forward: Llm;
  readonly backward: Llm;
  readonly sampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions };
  readonly lift: boolean;
  /** Number of whole runs, each with its own samples. Repeat r continues the sample numbers of repeat r - 1. */
  readonly repeats: number;
  readonly seed?: number | undefined;
  readonly onTrip?: () => void;
}

/** Maximum number of trips in progress. The models limit their own calls. */
export const tripsAtOnce = 32;
/** After this many final failures without any success, the server is considered down and the run ends. */
const hopeless = 3;

/** Asks models and records failed calls. It stops asking once no call can succeed. */
export interface Asker {
  /** The model's answers. Empty if the call failed. */
  ask(
    llm: Llm,
    options: SamplingOptions,
    about: { readonly taskId: string; readonly direction: Direction; readonly first: number },
    prompt: readonly Message[],
  ): Promise<string[]>;
  /** The failed calls, by task and direction. Throws the error that ended the asking, if there is one. */
  failures(): readonly Failure[];
}

export function openAsker(seed: number | undefined): Asker {
  const failures: Failure[] = [];
  let answered = 0;
  const stop = new AbortController();
  return {
    ask: async (llm, { samples: n, temperature, maxTokens }, about, prompt) => {
      if (stop.signal.aborted) return [];
      const seeded = seed === undefined ? {} : { seed };
      try {
        const texts = await llm.complete({ prompt, n, temperature, maxTokens, ...seeded, about, signal: stop.signal });
        answered += texts.length;
        return texts;
      } catch (error) {
        if (stop.signal.aborted) return [];
        const passing = error instanceof CodescoreError && (error.code === "input" || error.code === "infra");
        failures.push({ task_id: about.taskId, direction: about.direction, message: messageOf(error) });
        if (!passing || (error.code === "infra" && answered === 0 && failures.length >= hopeless)) stop.abort(error);
        return [];
      }
    },
    failures: () => {
      stop.signal.throwIfAborted();
      return failures.sort((a, b) => order(a).localeCompare(order(b)));
    },
  };
}

/** The samples, in the order of the trips, independent of the order of the models' answers. */
export async function sampleTrips(task: AnyTask, run: SamplingRun): Promise<SamplingResult> {
  const asker = openAsker(run.seed);
  const { ask } = asker;
  /** The opening questions of trips. Turns of the same conversation share them. */
  const questions = new Map<string, Promise<string[]>>();

  /** The trip itself, or null if its opening question got no answer. */
  const begin = async (trip: RoundTrip | OpenTrip, repeat: number): Promise<RoundTrip | null> => {
    if (!("ask" in trip)) return trip;
    const about = { taskId: trip.asked ?? trip.id, direction: "response", first: repeat } as const;
    const key = JSON.stringify(about);
    const asking = questions.get(key) ?? ask(run.forward, { ...run.sampling.backward, samples: 1 }, about, trip.ask);
    questions.set(key, asking);
    const [answer] = await asking;
    return answer === undefined ? null : begin(trip.begin(answer), repeat);
  };

  const sampleTrip = async (planned: RoundTrip | OpenTrip, repeat: number): Promise<Sampled[]> => {
    const { forward, backward } = run.sampling;
    const trip = await begin(planned, repeat);
    if (trip === null) return [];
    const taskId = trip.id;
    const back = async (
      direction: Direction,
      description: string,
      cut: boolean,
      f: number | null,
    ): Promise<Sampled[]> => {
      const about = { taskId, direction, first: (f ?? repeat) * backward.samples };
      const answers = await ask(run.backward, backward, about, trip.backward(description));
      const kind = f === null ? "baseline" : "round_trip";
      return Promise.all(
        answers.map(async (answer, i) => {
          const candidate = await trip.place(answer);
          return { trip, kind, repeat, forward: f, backward: i, description, cut, answer, candidate } as const;
        }),
      );
    };
    const baseline = run.lift ? back("baseline", task.uninformative, false, null) : Promise.resolve([]);
    const first = repeat * forward.samples;
    const texts = await ask(run.forward, forward, { taskId, direction: "forward", first }, trip.forward);
    const trips = texts.map((text, i) => {
      const { description, cut } = toDescription(text, task.maxCharacters);
      return back("backward", description, cut, first + i);
    });
    return (await Promise.all([...trips, baseline])).flat();
  };

  const sampleRepeats = async (trip: RoundTrip | OpenTrip): Promise<Sampled[]> => {
    const samples: Sampled[] = [];
    for (let repeat = 0; repeat < run.repeats; repeat++) samples.push(...(await sampleTrip(trip, repeat)));
    run.onTrip?.();
    return samples;
  };

  const limit = limiter(tripsAtOnce);
  const samples = await Promise.all(task.trips.map((trip) => limit(() => sampleRepeats(trip))));
  return { samples: samples.flat(), failures: asker.failures() };
}

const order = ({ task_id, direction }: Failure): string => `${task_id}\0${direction}`;

/**
 * Turns a forward model's answer into one line of at most `maxCharacters` characters. Null keeps the whole text. The model was
 * asked for words. A code fence after the words is dropped, because it would reveal the code and break the prompt that it is put
 * into.
 */
export function toDescription(text: string, maxCharacters: number | null): { description: string; cut: boolean } {
  if (maxCharacters === null) return { description: text.trim(), cut: false };
  const { before, blocks } = readFences(text.replace(/\r\n?/g, "\n"), { begun: false });
  const words = before.trim() === "" ? (blocks[0]?.code ?? "") : before;
  const characters = [...words.replace(/\s+/g, " ").trim()];
  return {
    description: characters.slice(0, maxCharacters).join("").trimEnd(),
    cut: characters.length > maxCharacters,
  };
}
