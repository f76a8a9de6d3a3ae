/** Programs that attack the harness, under Landlock of the first kernels that have it. The seccomp filter must do the rest. */
import { hostileSuite } from "./hostile.ts";
import { ofLevel } from "./landlock.ts";
import { landlockWorks } from "./open.ts";

if (landlockWorks) hostileSuite("landlock", undefined, (limits) => ofLevel(1, limits));
