/** All programs that attack the harness, in WebAssembly. */
import { hostileSuite } from "./hostile.ts";

hostileSuite("wasm");
