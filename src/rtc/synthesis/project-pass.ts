/** The similarity `pass` of a project's spans: the project's tests run with a candidate in its span's place. */

import type { SimilarityPair } from "../../types.ts";
import { limiter } from "../llm/llm.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import type { ProjectSpans, TestedProject } from "./project.ts";
import { putInto } from "./span.ts";

/** The code that replaces a span, by the span and the candidate's compared text. */
export type Placed = Map<string, string>;
export const placeKey = (id: string, candidate: string): string => JSON.stringify([id, candidate]);

export interface Timed {
  readonly cpu_s: number;
  readonly wall_s: number;
}

/** A similarity that runs its pairs in other processes and measures their times itself. */
export interface TimesItself {
  takeTimes(): Timed[];
}

interface PassOptions {
  readonly project: TestedProject;
  readonly found: ProjectSpans;
}

/** The similarity `pass` of a project, for `openSimilarity` and `projectRtc`. */
export function projectPass({ project, found }: PassOptions): ProjectPass {
  const spans = new Map(found.spans.map((span) => [span.id, span]));
  const limit = limiter(project.workers);
  const placed: Placed = new Map();
  const times: Timed[] = [];
  /** Results by span and code. `calls` asks again for candidates that it cannot judge. */
  const known = new Map<string, Promise<Tested>>();
  const test = async ({ candidate, problemId = "" }: SimilarityPair): Promise<Tested | null> => {
    const span = spans.get(problemId);
    const code = placed.get(placeKey(problemId, candidate));
    if (!span || code === undefined) return null;
    const key = placeKey(problemId, code);
    let tested = known.get(key);
    if (tested === undefined) {
      tested = limit(async () => {
        const run = await project.run({ [span.file.path]: putInto(span, code) }, found.limits);
        return { value: Number(run.outcome === "pass"), time: { cpu_s: run.cpuS, wall_s: run.wallS } };
      });
      known.set(key, tested);
      tested.catch(() => known.delete(key));
    }
    return tested;
  };
  return {
    name: "pass",
    signature: `pass|project:${found.fingerprint.slice(0, 12)}|sandbox:${project.sandbox}|python:${project.python}`,
    placed,
    test,
    compare: async (pairs) => {
      const tested = await Promise.all(pairs.map(test));
      times.push(...tested.flatMap((one) => (one === null ? [] : [one.time])));
      return tested.map((one) => one?.value ?? Number.NaN);
    },
    takeTimes: () => times.splice(0),
  };
}

/** The result of the tests with a candidate, and the time of that run. */
export interface Tested {
  readonly value: number;
  readonly time: Timed;
}

export type ProjectPass = SignedSimilarity &
  TimesItself & {
    readonly placed: Placed;
    /** The tests run once for each code of a span. Null if the candidate has not been placed. */
    test(pair: SimilarityPair): Promise<Tested | null>;
  };
