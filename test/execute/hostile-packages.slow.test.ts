/**
 * The attacks in a sandbox whose programs see packages. The restrictions are the same. Before them, pandas and matplotlib were imported. Not
 * those that only wait to be stopped, as packages are all the same to whoever stops them (hostile-bwrap.test.ts).
 */
import { describe, it } from "vitest";
import type { Attack } from "./attacks.ts";
import { hostileSuite } from "./hostile.ts";
import { bwrapWorks } from "./open.ts";
import { environment } from "./packages.ts";

const isStopped = ({ expected }: Attack): boolean =>
  [expected].flat().some((pattern) => /^\^(timeout|\(error:OutputLimit)/.test((pattern as RegExp).source));

if (bwrapWorks && environment !== null) hostileSuite("bwrap", environment, undefined, (attack) => !isStopped(attack));
else
  describe.skip("hostile programs in bwrap with packages", () => it("needs bubblewrap and an environment", () => {}));
