/** A few hostile programs in runs that give evidence. hostile.slow.test.ts runs all of them, in all sandboxes. */
import { sandboxes } from "../execute/open.ts";
import { FEW, FEWER } from "./attacks.ts";
import { hostileRun } from "./hostile-run.ts";

hostileRun(sandboxes[0]!, FEW, FEWER);
