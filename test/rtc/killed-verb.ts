/** `codescore rtc` in a process of its own, to be killed: `killed-verb.ts ARGS...`. */
import { rtcVerb } from "../../src/cli/rtc.ts";

await rtcVerb().parseAsync(process.argv.slice(2), { from: "user" });
