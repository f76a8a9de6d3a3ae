/** Finds the programs that build the native engine, and reports everything missing at once. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CodescoreError } from "../errors.ts";

export interface Tools {
  readonly python: { readonly path: string /** e.g. `3.12` */; readonly version: string };
  /** The C++ compiler's name or path. */
  readonly compiler: string;
  /** Folder whose `include/node` has Node's headers. Without it node-gyp downloads them. */
  readonly nodeFolder?: string;
}

/** The output of a program; undefined if it does not start or fails. */
export type Ask = (argv: readonly string[]) => string | undefined;

const askProgram: Ask = ([program, ...rest]) => {
  const { status, stdout } = spawnSync(program!, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? stdout.trim() : undefined;
};

const LEAST_PYTHON = [3, 9] as const; // the oldest with wheels of a TensorFlow that supports current GPUs
const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python3.10", "python3.9", "python"];
const VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';

/** Throws `CodescoreError("environment")` that names everything missing. If `python` is given, it is used instead of the first one found. */
export function findTools(python: string | undefined, env: NodeJS.ProcessEnv = process.env, ask = askProgram): Tools {
  const missing: string[] = [];
  const found = findPython(python === undefined ? PYTHONS : [python], ask);
  if (typeof found === "string") missing.push(found);
  const compiler = [env.CXX, "g++", "clang++"].find((name) => name && ask([name, "--version"]) !== undefined);
  if (compiler === undefined)
    missing.push("no C++ compiler: neither $CXX nor g++ nor clang++ runs (Debian, Ubuntu: apt install g++)");
  if (ask(["make", "--version"]) === undefined) missing.push("no make (Debian, Ubuntu: apt install make)");
  if (ask(["npm", "--version"]) === undefined) missing.push("no npm on the PATH");
  if (typeof found === "string" || compiler === undefined || missing.length > 0) {
    throw new CodescoreError("environment", ["the native engine cannot be built here:", ...missing].join("\n  - "));
  }
  const nodeFolder = findHeaders(ask);
  return { python: found, compiler, ...(nodeFolder === undefined ? {} : { nodeFolder }) };
}

function findPython(names: readonly string[], ask: Ask): Tools["python"] | string {
  const reasons: string[] = [];
  for (const path of names) {
    const version = ask([path, "-c", VERSION]);
    if (version === undefined) continue;
    const [major, minor] = version.split(".").map(Number) as [number, number];
    if (major !== LEAST_PYTHON[0] || minor < LEAST_PYTHON[1]) reasons.push(`${path} is ${version}`);
    else if (ask([path, "-c", "import venv, ensurepip"]) === undefined)
      reasons.push(`${path} (${version}) lacks venv or ensurepip (Debian, Ubuntu: apt install python${version}-venv)`);
    else return { path, version };
  }
  const told = reasons.length > 0 ? reasons.join(", ") : `none of ${names.join(", ")} runs`;
  return `no Python of at least ${LEAST_PYTHON.join(".")} with venv and pip: ${told}; use --python PATH for another`;
}

/** The folder with Node's own headers if its installation has them, otherwise the folder that npm is configured with. */
function findHeaders(ask: Ask): string | undefined {
  const configured = ask(["npm", "config", "get", "nodedir"]);
  return [join(dirname(process.execPath), ".."), configured].find(
    (folder) => folder !== undefined && existsSync(join(folder, "include", "node", "node_api.h")),
  );
}
