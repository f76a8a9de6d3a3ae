/** `npm test`: installs missing packages, then runs lint, types, build and tests. Also works on a fresh clone. */
import { prepare, run } from "./prepare.mjs";

prepare();
run("npx", ["biome", "check", "--error-on-warnings", "."]);
run("npm", ["run", "--silent", "types"]);
run("npm", ["run", "--silent", "build"]);
run("npx", ["vitest", "run", ...process.argv.slice(2)]);
