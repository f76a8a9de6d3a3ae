/** Programs that attack the harness, under Landlock as the first kernels have it: the rest is the seccomp filter's. */
import { hostileSuite } from "./hostile.ts";
import { ofLevel } from "./landlock.ts";
import { landlockWorks } from "./open.ts";

if (landlockWorks) hostileSuite("landlock", undefined, (limits) => ofLevel(1, limits));
