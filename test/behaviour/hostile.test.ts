/** A few hostile programs where running is evidence; all of them in hostile.slow.test.ts. */
import { sandboxes } from "../execute/open.ts";
import { FEW, FEWER } from "./attacks.ts";
import { hostileRun } from "./hostile-run.ts";

for (const sandbox of sandboxes) hostileRun(sandbox, FEW, FEWER);
