/** `codescore rtc` in a separate process that tests kill: `killed-verb.ts ARGS...`. */
import { rtcVerb } from "../../src/cli/rtc.ts";

await rtcVerb().parseAsync(process.argv.slice(2), { from: "user" });
