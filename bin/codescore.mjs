#!/usr/bin/env node
/** The `codescore` command as npm links it. A clone has this file before it is built: npx keeps a link to what is not there as no link. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/cli/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  process.stderr.write(`codescore is not built yet: run \`npm ci && npm run build\` in ${folder}\n`);
  process.exitCode = 1;
}
