/** Time for programs that import packages. The first calls of pandas or scikit-learn load modules. */
import { STANDARD_MODULES } from "../languages/python/syntax/library.ts";

/** CPU time per input that a program with packages gets at least, in seconds. */
const WITH_PACKAGES_S = 0.5;

const IMPORT = /^[ \t]*(?:from[ \t]+(\w{1,80})|import[ \t]+([^\n#;]{1,200}))/gm;

/** Whether a program imports a module that is not in the standard library. */
export function usesPackages(code: string): boolean {
  return [...code.matchAll(IMPORT)]
    .flatMap(([, from, names]) => (from === undefined ? names!.split(",") : [from]))
    .some((name) => {
      const root = /^\s*(\w+)/.exec(name)?.[1];
      return root !== undefined && !STANDARD_MODULES.has(root);
    });
}

/** The CPU time of a program per input: at least what its packages need. */
export function timeFor<T extends number | readonly number[]>(code: string, cpuS: T): T {
  if (!usesPackages(code)) return cpuS;
  const least = (own: number): number => Math.max(own, WITH_PACKAGES_S);
  return (typeof cpuS === "number" ? least(cpuS) : cpuS.map(least)) as T;
}
