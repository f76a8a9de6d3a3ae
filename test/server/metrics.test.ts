import { describe, expect, it } from "vitest";
import { createApp } from "../../src/server/index.ts";
import { ServerMetrics } from "../../src/server/metrics.ts";
import { fakeScorer } from "./fake.ts";

interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/**
 * Parses Prometheus' text format 0.0.4, and checks its rules: one HELP and one TYPE per family, before its samples;
 * the lines of a family together; no duplicate sample; histogram buckets in order and cumulative, the last one equal to the count.
 */
function parse(text: string): Map<string, { type: string; samples: Sample[] }> {
  expect(text.endsWith("\n")).toBe(true);
  const families = new Map<string, { type: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\\n]|\\\\|\\n)+$/.exec(line);
    const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      family = help[1]!;
      expect(families.has(family), `${family} begins again`).toBe(false);
      families.set(family, { type: "", samples: [] });
      continue;
    }
    if (type) {
      expect(type[1]).toBe(family);
      families.set(family, { type: type[2]!, samples: [] });
      continue;
    }
    const sample =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? ([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|Inf|NaN))$/.exec(
        line,
      );
    expect(sample, line).not.toBeNull();
    const [, name, pairs = "", value] = sample!;
    const suffix = name!.slice(family.length);
    expect(name!.startsWith(family)).toBe(true);
    expect(families.get(family)!.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]).toContain(suffix);
    expect(seen.has(`${name}{${pairs}}`), line).toBe(false);
    seen.add(`${name}{${pairs}}`);
    const labels = new Map([...pairs.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((pair) => [pair[1]!, pair[2]!]));
    families.get(family)!.samples.push({ name: name!, labels, value: Number(value!.replace("Inf", "Infinity")) });
  }
  for (const [name, { type, samples }] of families) {
    if (type !== "histogram") continue;
    for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
      const route = count.labels.get("route");
      const buckets = samples.filter((s) => s.name === `${name}_bucket` && s.labels.get("route") === route);
      const bounds = buckets.map((bucket) => Number(bucket.labels.get("le")!.replace("+Inf", "Infinity")));
      expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
      expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
      const counts = buckets.map((bucket) => bucket.value);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(counts.at(-1)).toBe(count.value);
      expect(samples.filter((s) => s.name === `${name}_sum` && s.labels.get("route") === route)).toHaveLength(1);
    }
  }
  return families;
}

describe("/metrics", () => {
  it("counts requests, rows and errors in Prometheus' text format, under names of the server's own", async () => {
    const app = await createApp({ scorer: fakeScorer() });
    const post = (body: string) =>
      app.request("/v1/score", { method: "POST", headers: { "content-type": "application/json" }, body });
    parse(await (await app.request("/metrics")).text()); // before anything is counted
    await post('{"rows": [{"candidate": "1"}, {"candidate": 2}, {"candidate": "poison"}]}');
    await post("{");
    for (const path of ["/nowhere/else", '/v1/"quoted\\"']) await app.request(path);
    await app.request("/healthz", { method: "PUT" });
    const response = await app.request("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    const families = parse(text);
    const value = (name: string, labels: Record<string, string> = {}) =>
      families
        .get(name.replace(/_(bucket|count)$/, ""))!
        .samples.find(
          (sample) => sample.name === name && Object.entries(labels).every(([k, v]) => sample.labels.get(k) === v),
        )?.value;
    expect(value("codescore_requests_total", { route: "/v1/score", status: "200" })).toBe(1);
    expect(value("codescore_requests_total", { route: "/v1/score", status: "400" })).toBe(1);
    expect(value("codescore_requests_total", { route: "other", status: "404" })).toBe(2);
    expect(value("codescore_requests_total", { route: "other", status: "405" })).toBe(1);
    expect(value("codescore_rows_total")).toBe(3);
    expect(value("codescore_row_errors_total", { code: "input" })).toBe(1);
    expect(value("codescore_row_errors_total", { code: "infra" })).toBe(1);
    expect(value("codescore_queue_rows")).toBe(0);
    expect(value("codescore_request_duration_seconds_count", { route: "/v1/score" })).toBe(2);
    expect(value("codescore_request_duration_seconds_bucket", { route: "/v1/score", le: "10" })).toBe(2);
    expect(text).not.toMatch(/nowhere|quoted/);
  });

  it("counts runs by how they ended, where candidates are run", () => {
    const metrics = new ServerMetrics();
    expect(metrics.text(0)).not.toContain("codescore_run");
    metrics.run("done", 0.2);
    metrics.run("stopped", 120);
    metrics.runRow(true);
    metrics.runRow(false);
    metrics.runRow(false);
    const families = parse(metrics.text(0, { runs: 3 }));
    const samples = (name: string) =>
      families.get(name)!.samples.map(({ labels, value }) => [...labels.values(), value]);
    expect(samples("codescore_runs_total")).toEqual([
      ["done", 1],
      ["stopped", 1],
      ["gone", 0],
    ]);
    expect(samples("codescore_run_rows_total")).toEqual([
      ["ran", 1],
      ["not_run", 2],
    ]);
    expect(samples("codescore_run_queue_rows")).toEqual([[3]]);
    const times = families.get("codescore_run_duration_seconds")!.samples;
    expect(times.find(({ name }) => name.endsWith("_sum"))!.value).toBeCloseTo(120.2);
  });

  it("keeps the format where round trips are counted too", () => {
    const metrics = new ServerMetrics();
    metrics.request("/v1/models", 200, 0.1);
    metrics.roundTrip("passed", 3);
    metrics.roundTrip("failed", 400);
    metrics.roundTrip("error", 1);
    const families = parse(metrics.text(0, { upstream: 2 }));
    const samples = (name: string) =>
      families.get(name)!.samples.map(({ labels, value }) => [...labels.values(), value]);
    expect(samples("codescore_round_trips_total")).toEqual([
      ["passed", 1],
      ["failed", 1],
      ["error", 1],
      ["gone", 0],
    ]);
    expect(samples("codescore_upstream_waiting")).toEqual([[2]]);
    expect(samples("codescore_round_trip_duration_seconds")).toEqual(
      expect.arrayContaining([["2.5", 0], ["5", 1], ["500", 2], [403]]),
    );
    expect(parse(metrics.text(0)).has("codescore_round_trips_total")).toBe(false);
  });

  it("escapes what its labels hold", () => {
    const metrics = new ServerMetrics();
    metrics.request('/a"b\\c\nd', 200, 0.1);
    expect(parse(metrics.text(0)).get("codescore_requests_total")!.samples[0]!.labels.get("route")).toBe(
      '/a\\"b\\\\c\\nd',
    );
  });
});
