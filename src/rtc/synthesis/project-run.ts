/** Round trips of a project's spans: what models see, how answers replace a span, and the results of the run. */

import { join } from "node:path";
import { answeredCode } from "../../languages/index.ts";
import { rocAuc } from "../../statistics/index.ts";
import type { SimilarityPair } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { writeAtomic } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { openJournal } from "../llm/journal.ts";
import { defaultPrompts, render } from "../llm/prompts.ts";
import type { SampleRow } from "../trip/rows.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import type { SignedSimilarity } from "../trip/similarity.ts";
import type { RtcSummary } from "../trip/summary.ts";
import type { RoundTrip, RoundTripTask } from "../trip/trip.ts";
import { functionAlone } from "./alone.ts";
import { reindent } from "./place.ts";
import type { ProjectSpans, TestedProject } from "./project.ts";
import { type Placed, type ProjectPass, placeKey, type Timed, type TimesItself } from "./project-pass.ts";
import { contextOf, type Span, spanText, surroundings } from "./span.ts";
import { synthesisPrompts } from "./synthesis.ts";

export interface ProjectTaskOptions {
  readonly project: TestedProject;
  readonly found: ProjectSpans;
  /** Folder with synthesis-forward.txt and synthesis-backward.txt. @default the prompts of this package */
  readonly prompts?: string;
  /** Maximum characters of a description. @default 128 */
  readonly maxCharacters?: number;
}

/** Median time of a similarity per candidate. CPU seconds depend less on other programs than wall time. */
export interface SimilarityTime {
  readonly name: string;
  readonly pairs: number;
  readonly median_cpu_s: number;
  readonly median_wall_s: number;
}

export interface ProjectSummary extends RtcSummary {
  readonly project: ProjectSpans["counts"] & {
    readonly command: string;
    readonly python: string;
    readonly sandbox: string;
    readonly spans: number;
    /** Share of the drawn spans whose deletion changes no test result. */
    readonly dropped_share: number;
    readonly baseline: ProjectSpans["baseline"];
    /** By similarity. The time of a batch is divided equally among its pairs. */
    readonly times: readonly SimilarityTime[];
    /** By similarity: how well it separates passing candidates from others. Null if all or none pass. */
    readonly auc_of_pass: Readonly<Record<string, number | null>>;
  };
}

/**
 * The similarity `behaviour` for a project's spans. The function around a span is called alone, with what it needs from its file
 * and the standard library. Other spans have no value.
 * @param behaviour the similarity that `openSimilarity` takes
 */
export function projectBehaviour(
  behaviour: SignedSimilarity,
  { found }: Pick<ProjectTaskOptions, "found">,
  placed: Placed,
): SignedSimilarity {
  const spans = new Map(found.spans.map((span) => [span.id, span]));
  const without = new Map<string, number>();
  /** Both programs, or the reason why there are none. */
  const alone = async ({ candidate, problemId = "" }: SimilarityPair): Promise<SimilarityPair | string> => {
    const span = spans.get(problemId);
    const code = placed.get(placeKey(problemId, candidate));
    if (!span || code === undefined) return "the span is not known";
    const reference = await functionAlone(span, spanText(span));
    if (typeof reference === "string") return reference;
    const { program, entryPoint } = reference;
    const other = candidate === "" ? { program: "" } : await functionAlone(span, code);
    return typeof other === "string" ? other : { problemId, reference: program, candidate: other.program, entryPoint };
  };
  return {
    ...behaviour,
    signature: `${behaviour.signature ?? behaviour.name}|project:${found.fingerprint.slice(0, 12)}`,
    takesEmpty: true,
    compare: async (pairs) => {
      const programs = await Promise.all(pairs.map(alone));
      for (const why of programs) if (typeof why === "string") without.set(why, (without.get(why) ?? 0) + 1);
      const runnable = [...pairs.keys()].filter((i) => typeof programs[i] !== "string");
      const values = await behaviour.compare(runnable.map((i) => programs[i] as SimilarityPair));
      const all = pairs.map(() => Number.NaN);
      runnable.forEach((i, k) => {
        all[i] = values[k]!;
      });
      return all;
    },
    notes: () => [
      ...[...without].map(([reason, count]) => `behaviour: ${counted(count, "program")} without a value: ${reason}`),
      ...(behaviour.notes?.() ?? []),
    ],
  };
}

/** The spans as round trips. Adds the code of each candidate to `placed`. */
export async function projectTask(
  { found, prompts = defaultPrompts, maxCharacters = 128 }: ProjectTaskOptions,
  placed: Placed,
): Promise<RoundTripTask> {
  const { forward, backward } = await synthesisPrompts(prompts);
  const trips = found.spans.map((span): RoundTrip => {
    const { before, after } = contextOf(span);
    const values = { before: before.replace(/\n$/, ""), after: after.replace(/^\n/, ""), indent: span.indent };
    return {
      id: span.id,
      reference: surroundings(span, spanText(span)),
      input: spanText(span),
      description: null,
      fingerprint: found.fingerprint,
      shown: { above: values.before, below: values.after },
      forward: render(forward, { ...values, code: spanText(span), limit: String(maxCharacters) }),
      backward: (description) => render(backward, { ...values, description }),
      place: async (answer) => {
        const code = placeSpan(span, answer);
        const candidate = code === "" ? "" : surroundings(span, code);
        placed.set(placeKey(span.id, candidate), code);
        return candidate;
      },
    };
  });
  return {
    name: "synthesis of a project",
    uninformative: "Implement.",
    maxCharacters,
    trips,
    skipped: [],
    prompts: { forward: forward.sha256, backward: backward.sha256 },
  };
}

/** The lines of an answer that replace a span. Empty if the answer has no code. */
export function placeSpan({ indent }: Span, answer: string): string {
  const code = answeredCode(answer.replace(/\r\n?/g, "\n"));
  if (code.trim() === "") return "";
  const lines = code.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  // Leave code alone that already has the right indent: lines of long strings may be further left.
  if (lines.startsWith(indent) && /\S/.test(lines[indent.length] ?? "")) return lines;
  // Models may continue right after the prompt's white space. Then the other lines are already right, e.g. the deeper body of an
  // `if`.
  const [first = "", ...rest] = lines.split("\n");
  const written = rest.filter((line) => line.trim() !== "");
  const goesOn = written.length > 0 && /^\S/.test(first) && written.every((line) => line.startsWith(indent));
  if (goesOn && (!/:\s*(#.*)?$/.test(first) || /^\s/.test(written[0]!.slice(indent.length)))) return indent + lines;
  return reindent(lines, indent);
}

/**
 * Runs SynthesisRTC on a project's spans. Files as in run.ts, with `project` added to `summary.json`. `times.jsonl` keeps the
 * times of comparing. @throws as `runRoundTrips`
 */
export async function projectRtc(
  options: ProjectTaskOptions & RoundTripsOptions,
  pass: ProjectPass,
): Promise<RoundTripsResult & { readonly summary: ProjectSummary }> {
  const { project, found, out } = options;
  const path = join(out, "times.jsonl");
  const journal = await openJournal(path);
  try {
    const similarities = options.similarities.map((similarity) => withTimes(similarity, journal.append));
    const result = await runRoundTrips(await projectTask(options, pass.placed), { ...options, similarities });
    const { without_effect, drawn } = found.counts;
    const summary: ProjectSummary = {
      ...result.summary,
      project: {
        command: project.command,
        python: project.python,
        sandbox: project.sandbox,
        ...found.counts,
        spans: found.spans.length,
        dropped_share: without_effect / drawn,
        baseline: found.baseline,
        times: await readTimes(path),
        auc_of_pass: aucsOfPass(result.samples),
      },
    };
    await writeAtomic(result.files.summary, `${JSON.stringify(summary, null, 2)}\n`);
    return { ...result, summary };
  } finally {
    await journal.close();
  }
}

/** Appends the time of each call to the journal. Inherits from the similarity, because some learn their signature late. */
function withTimes(similarity: SignedSimilarity, append: (rows: readonly object[]) => Promise<void>): SignedSimilarity {
  const compare: SignedSimilarity["compare"] = async (pairs) => {
    const [cpu, wall] = [process.cpuUsage(), performance.now()];
    const values = await similarity.compare(pairs);
    const { user, system } = process.cpuUsage(cpu);
    const each = {
      cpu_s: (user + system) / 1e6 / pairs.length,
      wall_s: (performance.now() - wall) / 1e3 / pairs.length,
    };
    const own = (similarity as Partial<TimesItself>).takeTimes?.();
    await append((own ?? pairs.map(() => each)).map((time) => ({ sim: similarity.name, ...time })));
    return values;
  };
  return Object.create(similarity, { compare: { value: compare } }) as SignedSimilarity;
}

async function readTimes(path: string): Promise<SimilarityTime[]> {
  const times = new Map<string, Timed[]>();
  for await (const { value } of readJsonLines(path)) {
    const { sim, ...time } = value as unknown as Timed & { sim: string };
    times.set(sim, [...(times.get(sim) ?? []), time]);
  }
  return [...times].map(([name, rows]) => ({
    name,
    pairs: rows.length,
    median_cpu_s: median(rows.map(({ cpu_s }) => cpu_s)),
    median_wall_s: median(rows.map(({ wall_s }) => wall_s)),
  }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

function aucsOfPass(samples: readonly SampleRow[]): Record<string, number | null> {
  const trips = samples.filter(({ kind, sims }) => kind === "round_trip" && typeof sims.pass === "number");
  const others = Object.keys(trips[0]?.sims ?? {}).filter((name) => name !== "pass");
  return Object.fromEntries(
    others.map((name) => {
      const rows = trips.filter(({ sims }) => typeof sims[name] === "number");
      const passed = rows.map(({ sims }) => sims.pass === 1);
      if (!passed.includes(true) || !passed.includes(false)) return [name, null];
      return [
        name,
        rocAuc(
          rows.map(({ sims }) => sims[name]!),
          passed,
        ),
      ];
    }),
  );
}
