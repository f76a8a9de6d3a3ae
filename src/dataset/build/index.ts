/** Builds complete sets from collected data. */
export { type BuiltSet, buildSets } from "./build.ts";
export { recipesOf } from "./recipes.ts";
export type { BuildOptions } from "./types.ts";
