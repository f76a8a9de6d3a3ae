/** Where setups keep what they build, in the cache folder. */
import { join } from "node:path";
import { cacheFolder } from "../util/cache.ts";

/** What the native engine runs on. */
export type Build = "cpu" | "gpu";

/** The folder with all files of one native engine: `python/` (pip's TensorFlow), `npm/` (tfjs-node), `done.json`, `setup.log`. */
export const tensorflowFolder = (build: Build): string => join(cacheFolder(), `tensorflow-${build}`);

/** The file in that folder which says that the engine was built and computed a correct product. */
export const CHECKED = "checked.json";
