import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { addMetricOptions, type MetricFlags, metricOptionsOf, metricsOf } from "../../src/cli/options/metrics.ts";

const parse = (...args: string[]): MetricFlags =>
  addMetricOptions(new Command("x").exitOverride().configureOutput({ writeErr: () => {} }))
    .parse(args, { from: "user" })
    .opts<MetricFlags>();

describe("the options of metrics", () => {
  it("reach the metrics by name", async () => {
    const flags = parse(
      "--language",
      "go",
      "--crystal-corpus",
      "programs",
      "--metric-model",
      "comet=a",
      "--metric-model",
      "b=c",
    );
    expect(metricOptionsOf(flags)).toMatchObject({
      language: "go",
      corpus: "programs",
      models: { comet: "a", b: "c" },
    });
    expect((await metricsOf("bleu, crystalbleu,bleu", flags)).map(({ name }) => name)).toEqual(["bleu", "crystalbleu"]);
  });

  it("may be left out, and so may metrics", async () => {
    expect(metricOptionsOf(parse())).toEqual({});
    expect([await metricsOf(undefined, {}), await metricsOf("none", {})]).toEqual([[], []]);
  });

  it.each([
    [["--language", "cobol"], "Allowed choices are python, javascript, typescript, java, cpp, go"],
    [["--metric-model", "comet"], "Expected METRIC=DIR, got `comet`"],
  ])("%j are refused", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it("that a metric needs are asked for, and a language that it cannot read is refused", async () => {
    await expect(metricsOf("crystalbleu", {})).rejects.toThrow("--crystal-corpus");
    await expect(metricsOf("rule", { language: "java" })).rejects.toThrow("`rule` supports Python only, got java");
  });
});
