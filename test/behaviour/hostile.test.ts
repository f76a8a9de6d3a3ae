/** A few hostile programs where running is evidence; all of them in hostile.slow.test.ts. */
import { every } from "../every.ts";
import { sandboxes } from "../execute/open.ts";
import { FEW, FEWER, hostileReaders } from "./attacks.ts";
import { hostileRun } from "./hostile-run.ts";

// In WebAssembly each that has to be interrupted costs an interpreter's start.
for (const sandbox of sandboxes) {
  if (sandbox !== "wasm") hostileRun(sandbox, FEW, FEWER);
  else
    hostileRun(
      sandbox,
      FEWER,
      FEWER,
      hostileReaders.filter((_, i) => i % every(3) === 0),
    );
}
