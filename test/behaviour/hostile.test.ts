/** A few hostile programs where running is evidence; all of them, in all sandboxes, in hostile.slow.test.ts. */
import { sandboxes } from "../execute/open.ts";
import { FEW, FEWER } from "./attacks.ts";
import { hostileRun } from "./hostile-run.ts";

hostileRun(sandboxes[0]!, FEW, FEWER);
