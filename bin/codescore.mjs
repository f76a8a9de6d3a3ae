#!/usr/bin/env node
/** The `codescore` command as npm links it. It exists before the build, because npx ignores a link whose target does not exist. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/cli/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  process.stderr.write(`codescore is not built yet: run \`npm ci && npm run build\` in ${folder}\n`);
  process.exitCode = 1;
}
