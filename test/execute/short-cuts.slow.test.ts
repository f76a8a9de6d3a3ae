/** Random programs of each shortcut's class get the same verdicts without it. CODESCORE_PROGRAMS sets the number per class. */
import { describe, expect, it } from "vitest";
import { bwrapWorks } from "./open.ts";
import { CLASSES } from "./programs/classes.ts";
import { compared, openPair } from "./programs/compare.ts";

const count = Number(process.env.CODESCORE_PROGRAMS ?? 50);
/** Another seed gives other programs. */
const more = Number(process.env.CODESCORE_SEED ?? 100);

describe.skipIf(!bwrapWorks)("random programs", () => {
  it.each(CLASSES)(
    "of $name are judged as they are alone",
    async ({ name, make, seed }) => {
      for (const [part, maxTimeouts] of [
        [0.2, 2],
        [0.8, 1],
      ] as const) {
        const pair = await openPair("bwrap", maxTimeouts);
        const { faults, near, outcomes } = await compared(pair, make, part * count, seed + more * maxTimeouts);
        await Promise.all(pair.map((executor) => executor.close()));
        const found = `${faults.length} faults, ${near} near a limit, ${JSON.stringify(outcomes)}`;
        process.stderr.write(`  ${part * count} programs of ${name}: ${found}\n`);
        expect(faults).toEqual([]);
      }
    },
    7_200_000,
  );
});
