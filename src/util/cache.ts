/** The folder for downloads and builds. It is outside the package, so updates of the package do not delete it. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

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
