/** Programs that attack the harness, under Landlock. */
import { hostileSuite } from "./hostile.ts";
import { landlockWorks } from "./open.ts";

if (landlockWorks) hostileSuite("landlock");
