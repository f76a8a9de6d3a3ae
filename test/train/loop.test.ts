import { expect, it } from "vitest";
import { bestNote } from "../../src/train/loop.ts";

it("says of a run without a dev set that it has none, not that its result is to come", () => {
  expect(bestNote({ best: null }, false)).toBe("no dev set");
  expect(bestNote({ best: null }, true)).toBe("no dev r_s yet");
});
