import { expect, it } from "vitest";
import { barChart } from "../../src/report/charts.ts";

const chart = (low: number): string =>
  barChart({
    label: "RTC and lift.",
    y: "share",
    groups: ["gpt"],
    series: ["RTC", "lift"],
    bars: [
      { group: 0, series: 0, value: { value: 0.157, low: 0.004, high: 0.462 } },
      { group: 0, series: 1, value: { value: 0, low, high: 0 } },
    ],
  }).svg;

it("draws shares on an axis from 0 to 1, also if rounding makes one slightly negative", () => {
  expect(chart(0)).toContain(">1.0</text>");
  expect(chart(-1e-17)).toBe(chart(0));
  expect(chart(-0.2)).not.toContain(">1.0</text>");
});
