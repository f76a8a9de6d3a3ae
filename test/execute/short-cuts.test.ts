/** Random programs of the class of each short cut have the verdicts that they have without it; ten thousand each in short-cuts.slow.test.ts. */
import { describe, expect, it } from "vitest";
import { bwrapWorks, byPython } from "./open.ts";
import { CLASSES } from "./programs/classes.ts";
import { compared, share } from "./programs/compare.ts";

describe.each(byPython)("random programs in %s", (sandbox) => {
  it.each(CLASSES)("of $name are judged as they are alone", { timeout: 120_000 }, async ({ make, seed, few }) => {
    expect((await compared(make, sandbox === "wasm" ? few / 8 : few, seed, 1, sandbox)).faults).toEqual([]);
  });
});

describe.skipIf(!bwrapWorks)("random programs", () => {
  it.each(CLASSES)("of $name are of that class often enough", ({ make, seed, expression, least }) => {
    expect(share(make, 500, seed, expression)).toBeGreaterThan(least);
  });
});
