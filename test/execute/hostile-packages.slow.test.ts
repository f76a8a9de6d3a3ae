/** The attacks in a sandbox whose programs see packages. The restrictions are the same. Before them, pandas and matplotlib were imported. */
import { describe, it } from "vitest";
import { hostileSuite } from "./hostile.ts";
import { bwrapWorks } from "./open.ts";
import { environment } from "./packages.ts";

if (bwrapWorks && environment !== null) hostileSuite("bwrap", environment);
else
  describe.skip("hostile programs in bwrap with packages", () => it("needs bubblewrap and an environment", () => {}));
