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
  const progress = startProgress({ label: "label", total: 2000, unit: "programs" });
  const pass = (seconds: number, each: number): void => {
    for (let s = 0; s < seconds; s++) {
      vi.advanceTimersByTime(1000);
      progress.tick(each);
    }
  };
  pass(10, 1);
  expect(written.at(-1)).toBe("  label 10/2000 programs, 1.0/s\n");
  pass(10, 1);
  expect(written.at(-1)).toBe("  label 20/2000 programs, 1.0/s, 33m00s left\n");
  pass(70, 10);
  // 90 s in all at 8 a second, but 10 a second in the last minute.
  expect(written.at(-1)).toBe("  label 720/2000 programs, 8.0/s, 2m08s left\n");
  progress.done();
  expect(written.at(-1)).toBe("  label 720/2000 programs, 8.0/s in 1m30s\n");
});

it("does not count items of an earlier run", () => {
  const progress = startProgress({ label: "label", total: 100, unit: "programs", start: 80 });
  vi.advanceTimersByTime(20_000);
  progress.tick(10);
  expect(written.at(-1)).toBe("  label 90/100 programs, 0.5/s, 20s left\n");
});
