/**
 * Asks the models: forward samples of every trip, backward samples of every forward one, and the backward model on the
 * uninformative description. One trip's failure leaves the others alone; a failure that all would share ends the run.
 */
import { CodescoreError, messageOf } from "../../errors.ts";
import { readFences } from "../../languages/fences.ts";
import { type Direction, type Llm, limiter, type Message } from "../llm/llm.ts";
import type { AnyTask, OpenTrip, RoundTrip, SamplingOptions } from "./trip.ts";

/** One candidate that came back. */
export interface Sampled {
  readonly trip: RoundTrip;
  readonly kind: "round_trip" | "baseline";
  /** Which of the repeated runs it belongs to. */
  readonly repeat: number;
  /** Index of the forward sample, counted over all repeats; null for the baseline. */
  readonly forward: number | null;
  /** Index of the backward sample of that forward one. */
  readonly backward: number;
  /** What the backward model was given. */
  readonly description: string;
  /** The forward model said more than is kept. */
  readonly cut: boolean;
  /** What the backward model said. */
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
  /** Whole runs, each with samples of its own; repeat r has those that a run with so many samples would have next. */
  readonly repeats: number;
  readonly seed?: number | undefined;
  readonly onTrip?: () => void;
}

/** Trips under way at a time; the models limit their own calls. */
export const tripsAtOnce = 32;
/** So many calls that failed for good before any succeeded: the server is down, not the request wrong. */
const hopeless = 3;

/** Asks models and keeps what failed; asks no more once no call can succeed. */
export interface Asker {
  /** What the model said; nothing when the call failed. */
  ask(
    llm: Llm,
    options: SamplingOptions,
    about: { readonly taskId: string; readonly direction: Direction; readonly first: number },
    prompt: readonly Message[],
  ): Promise<string[]>;
  /** The calls that failed, by task and direction. Throws what ended the asking, if anything did. */
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

/** In the order of the trips, whatever order the models answer in. */
export async function sampleTrips(task: AnyTask, run: SamplingRun): Promise<SamplingResult> {
  const asker = openAsker(run.seed);
  const { ask } = asker;
  /** Those that trips begin with; turns of one conversation share them. */
  const questions = new Map<string, Promise<string[]>>();

  /** The trip itself, or null when the question that it begins with got no answer. */
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
 * What a forward model said as one line of at most so many characters; whole for null. It was asked for words: where code in a fence
 * follows them, that is left out, since it would give the code away, and break the prompt that it is put into.
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
