import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startProgress } from "../../src/util/progress.ts";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.useFakeTimers();
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  Object.defineProperty(process.stderr, "isTTY", { value: false, configurable: true });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("estimates the remaining time from the last minute, and not at all in the first seconds", () => {
  const progress = startProgress({ label: "label", total: 1000, unit: "programs" });
  const pass = (seconds: number, each: number): void => {
    for (let s = 0; s < seconds; s++) {
      vi.advanceTimersByTime(1000);
      progress.tick(each);
    }
  };
  pass(10, 1);
  expect(written.at(-1)).toBe("  label 10/1000 programs, 1.0/s\n");
  pass(10, 1);
  expect(written.at(-1)).toBe("  label 20/1000 programs, 1.0/s, 16m20s left\n");
  pass(70, 10);
  // 90 s in all at 8 a second, but 10 a second in the last minute.
  expect(written.at(-1)).toBe("  label 720/1000 programs, 8.0/s, 28s left\n");
  progress.done();
  expect(written.at(-1)).toBe("  label 720/1000 programs, 8.0/s in 1m30s\n");
});

it("shows no remaining time while less than 2% are done, for two minutes at most", () => {
  const progress = startProgress({ label: "label", total: 1920, unit: "programs" });
  const pass = (seconds: number): void => {
    vi.advanceTimersByTime(seconds * 1000);
    progress.tick(4);
  };
  pass(20);
  expect(written.at(-1)).toBe("  label 4/1920 programs, 0.2/s\n");
  pass(90);
  expect(written.at(-1)).toBe("  label 8/1920 programs, 0.1/s\n");
  pass(20);
  expect(written.at(-1)).toMatch(/^ {2}label 12\/1920 programs, 0\.1\/s, \S+ left\n$/);
});

it("takes a pause for a slow item, not for the new speed", () => {
  const progress = startProgress({ label: "label", total: 1920, unit: "programs" });
  for (const [seconds, items] of [
    [60, 300],
    [60, 5],
    [30, 1],
  ] as const) {
    vi.advanceTimersByTime(seconds * 1000);
    progress.tick(items);
  }
  // 306 in 150 s are 2 a second. In the last minute it was one item, at which the rest would take 13 hours.
  expect(written.at(-1)).toBe("  label 306/1920 programs, 2.0/s, 26m22s left\n");
});

it("does not count items of an earlier run", () => {
  const progress = startProgress({ label: "label", total: 100, unit: "programs", start: 80 });
  vi.advanceTimersByTime(20_000);
  progress.tick(10);
  expect(written.at(-1)).toBe("  label 90/100 programs, 0.5/s, 20s left\n");
});
