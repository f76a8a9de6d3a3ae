/** All hostile programs where running is evidence. */
import { sandboxes } from "../execute/open.ts";
import { hostileRun } from "./hostile-run.ts";

for (const sandbox of sandboxes) hostileRun(sandbox);
