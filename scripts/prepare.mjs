/** Prepares a fresh clone: installs the packages of package-lock.json. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command in the repository's root. If it fails, ends this process with its exit code. */
export function run(command, args, env = {}, stdout = "inherit") {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["inherit", stdout, "inherit"],
    shell: process.platform === "win32", // npm and npx are .cmd files there
    env: { ...process.env, ...env },
  });
  if (error !== undefined) {
    console.error(`cannot run ${command}: ${error.message}`);
    process.exit(1);
  }
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the packages unless npm did so after package-lock.json last changed. */
export function prepare() {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 20) {
    console.error(`codescore needs Node 20 or newer, this is ${process.versions.node}`);
    process.exit(1);
  }
  // npm writes this file at the end of an installation.
  if (changed("node_modules/.package-lock.json") >= changed("package-lock.json")) return;
  run("npm", ["ci", "--no-progress", "--loglevel=error"]); // explicit, so that it also holds under `npm run --silent`
}

/** When a file last changed, in ms; 0 if it does not exist. */
const changed = (path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
