/** Where setups keep what they build: a folder outside of the package, which an update of it leaves alone. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** What the native engine runs on. */
export type Build = "cpu" | "gpu";

/**
 * `CODESCORE_CACHE`, or `codescore` in the system's cache folder: `XDG_CACHE_HOME` or `~/.cache`, on Windows
 * `LOCALAPPDATA`.
 */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  if (env.CODESCORE_CACHE) return resolve(env.CODESCORE_CACHE);
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "codescore");
  return join(env.XDG_CACHE_HOME || join(home, ".cache"), "codescore");
}

/** Everything of one native engine: `python/` (pip's TensorFlow), `npm/` (tfjs-node), `done.json`, `setup.log`. */
export const tensorflowFolder = (build: Build): string => join(cacheFolder(), `tensorflow-${build}`);

/** In that folder, the file that says that the engine was built and gave a right product. */
export const CHECKED = "checked.json";
