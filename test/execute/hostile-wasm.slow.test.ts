/** The programs that attack the harness, in WebAssembly: those that hostile-wasm.test.ts leaves out. CODESCORE_EVERY=1 takes all. */
import { every } from "../every.ts";
import { hostileSuite, isOneOfSome } from "./hostile.ts";

hostileSuite("wasm", undefined, undefined, (_, i) => every(4) === 1 || !isOneOfSome(i));
