/** Counters for Prometheus, in its text format 0.0.4. */

/** Upper bounds in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

export class ServerMetrics {
  readonly #requests = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly #latency = new Map<string, Histogram>();
  #rows = 0;

  /** One answered request. `route` is a pattern of the server's own, never what a client sent. */
  request(route: string, status: number, seconds: number): void {
    const key = labels({ route, status: String(status) });
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const histogram = this.#latency.get(route) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 };
    buckets.forEach((bound, i) => {
      if (seconds <= bound) histogram.counts[i]! += 1;
    });
    histogram.sum += seconds;
    histogram.count += 1;
    this.#latency.set(route, histogram);
  }

  row(): void {
    this.#rows += 1;
  }

  rowError(code: string): void {
    const key = labels({ code });
    this.#errors.set(key, (this.#errors.get(key) ?? 0) + 1);
  }

  text(queueRows: number): string {
    const lines = [
      ...head("codescore_requests_total", "counter", "Requests answered."),
      ...[...this.#requests].map(([key, n]) => `codescore_requests_total${key} ${n}`),
      ...head("codescore_rows_total", "counter", "Rows answered, those with an error included."),
      `codescore_rows_total ${this.#rows}`,
      ...head("codescore_row_errors_total", "counter", "Rows answered with an error."),
      ...[...this.#errors].map(([key, n]) => `codescore_row_errors_total${key} ${n}`),
      ...head("codescore_queue_rows", "gauge", "Rows that wait to be scored."),
      `codescore_queue_rows ${queueRows}`,
      ...head("codescore_request_duration_seconds", "histogram", "Time from the request to its answer."),
    ];
    const name = "codescore_request_duration_seconds";
    for (const [route, { counts, sum, count }] of this.#latency) {
      buckets.forEach((bound, i) => {
        lines.push(`${name}_bucket${labels({ route, le: String(bound) })} ${counts[i]}`);
      });
      lines.push(`${name}_bucket${labels({ route, le: "+Inf" })} ${count}`);
      lines.push(`${name}_sum${labels({ route })} ${sum}`, `${name}_count${labels({ route })} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const labels = (pairs: Readonly<Record<string, string>>): string =>
  `{${Object.entries(pairs)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}"`)
    .join(",")}}`;
