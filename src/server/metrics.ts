/** Prometheus metrics in text format 0.0.4. */

/** Upper bounds in seconds: for requests; for round trips, which wait for a model three times; and for tasks that are run. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const tripBuckets = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500];
const runBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250];

/** How a round trip ended: passed or failed, with an error, or because the client disconnected. */
export const tripOutcomes = ["passed", "failed", "error", "gone"] as const;
export type TripOutcome = (typeof tripOutcomes)[number];

/** How running a task ended: with a result, stopped (a limit was reached or there is no sandbox), or because the client disconnected. */
export const runOutcomes = ["done", "stopped", "gone"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** Queue lengths. A field is absent if the server has no such part. */
export interface Waiting {
  /** Requests that wait for the upstream. */
  readonly upstream?: number | undefined;
  /** Rows to run that are not yet answered. */
  readonly runs?: number | undefined;
}

class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(seconds: number): void {
    this.#bounds.forEach((bound, i) => {
      if (seconds <= bound) this.#counts[i]! += 1;
    });
    this.#sum += seconds;
    this.#count += 1;
  }

  lines(name: string, pairs: Readonly<Record<string, string>> = {}): string[] {
    return [
      ...this.#bounds.map((bound, i) => `${name}_bucket${labels({ ...pairs, le: String(bound) })} ${this.#counts[i]}`),
      `${name}_bucket${labels({ ...pairs, le: "+Inf" })} ${this.#count}`,
      `${name}_sum${labels(pairs)} ${this.#sum}`,
      `${name}_count${labels(pairs)} ${this.#count}`,
    ];
  }
}

export class ServerMetrics {
  readonly #requests = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly #latency = new Map<string, Histogram>();
  readonly #trips = new Map<TripOutcome, number>(tripOutcomes.map((outcome) => [outcome, 0]));
  readonly #tripTime = new Histogram(tripBuckets);
  readonly #runs = new Map<RunOutcome, number>(runOutcomes.map((outcome) => [outcome, 0]));
  readonly #runTime = new Histogram(runBuckets);
  readonly #runRows = { ran: 0, not_run: 0 };
  #rows = 0;

  /** Counts an answered request. `route` is the pattern of one of the server's routes, never text from a client. */
  request(route: string, status: number, seconds: number): void {
    const key = labels({ route, status: String(status) });
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const histogram = this.#latency.get(route) ?? new Histogram(buckets);
    histogram.add(seconds);
    this.#latency.set(route, histogram);
  }

  row(): void {
    this.#rows += 1;
  }

  rowError(code: string): void {
    const key = labels({ code });
    this.#errors.set(key, (this.#errors.get(key) ?? 0) + 1);
  }

  /** Counts a round trip. Its time counts only if it had a result. */
  roundTrip(outcome: TripOutcome, seconds: number): void {
    this.#trips.set(outcome, this.#trips.get(outcome)! + 1);
    if (outcome === "passed" || outcome === "failed") this.#tripTime.add(seconds);
  }

  /** Counts the run of a task's candidates. `seconds`: total time. */
  run(outcome: RunOutcome, seconds: number): void {
    this.#runs.set(outcome, this.#runs.get(outcome)! + 1);
    this.#runTime.add(seconds);
  }

  /** Counts a row that was to be run. */
  runRow(didRun: boolean): void {
    this.#runRows[didRun ? "ran" : "not_run"] += 1;
  }

  /** @param queueRows rows that wait to be scored */
  text(queueRows: number, { upstream, runs }: Waiting = {}): string {
    const lines = [
      ...head("codescore_requests_total", "counter", "Requests answered."),
      ...[...this.#requests].map(([key, n]) => `codescore_requests_total${key} ${n}`),
      ...head("codescore_rows_total", "counter", "Rows answered, those with an error included."),
      `codescore_rows_total ${this.#rows}`,
      ...head("codescore_row_errors_total", "counter", "Rows answered with an error."),
      ...[...this.#errors].map(([key, n]) => `codescore_row_errors_total${key} ${n}`),
      ...head("codescore_queue_rows", "gauge", "Rows that wait for their score."),
      `codescore_queue_rows ${queueRows}`,
      ...head("codescore_request_duration_seconds", "histogram", "Time from the request to its answer."),
    ];
    for (const [route, histogram] of this.#latency) {
      lines.push(...histogram.lines("codescore_request_duration_seconds", { route }));
    }
    if (runs !== undefined) lines.push(...this.#runLines(runs));
    if (upstream !== undefined) lines.push(...this.#tripLines(upstream));
    return `${lines.join("\n")}\n`;
  }

  #runLines(waiting: number): string[] {
    const name = "codescore_run_duration_seconds";
    return [
      ...head("codescore_run_rows_total", "counter", "Rows to run, by whether they could be run."),
      ...Object.entries(this.#runRows).map(([outcome, n]) => `codescore_run_rows_total${labels({ outcome })} ${n}`),
      ...head("codescore_runs_total", "counter", "Tasks whose candidates were run, by outcome."),
      ...[...this.#runs].map(([outcome, n]) => `codescore_runs_total${labels({ outcome })} ${n}`),
      ...head("codescore_run_queue_rows", "gauge", "Rows to run that have no answer yet."),
      `codescore_run_queue_rows ${waiting}`,
      ...head(name, "histogram", "Time to run the candidates of a task."),
      ...this.#runTime.lines(name),
    ];
  }

  #tripLines(waiting: number): string[] {
    const name = "codescore_round_trip_duration_seconds";
    return [
      ...head("codescore_round_trips_total", "counter", "Round trips by outcome."),
      ...[...this.#trips].map(([outcome, n]) => `codescore_round_trips_total${labels({ outcome })} ${n}`),
      ...head("codescore_upstream_waiting", "gauge", "Requests that wait for a free place at the upstream."),
      `codescore_upstream_waiting ${waiting}`,
      ...head(name, "histogram", "Time of the round trips with a result."),
      ...this.#tripTime.lines(name),
    ];
  }
}

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function labels(pairs: Readonly<Record<string, string>>): string {
  const written = Object.entries(pairs).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}"`,
  );
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}
