/** `npm test`: installs what is missing, then lint, types, build and the tests. On a fresh clone too. */
import { prepare, run } from "./prepare.mjs";

prepare();
run("npx", ["biome", "check", "--error-on-warnings", "."]);
run("npm", ["run", "--silent", "types"]);
run("npm", ["run", "--silent", "build"]);
run("npx", ["vitest", "run", ...process.argv.slice(2)]);
