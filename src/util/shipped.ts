/** The shipped models, of which the npm package has what scoring on a CPU needs. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { packageRoot } from "./files.ts";

/** For an error about a file of a model that is not there: where it is, if it is a shipped model's; else nothing. */
export function whereLeftOut(path: string): string {
  const inside = relative(join(packageRoot, "models"), resolve(path));
  if (isAbsolute(inside) || inside.startsWith("..")) return "";
  const [name] = inside.split(sep);
  return `; the npm package leaves it out: take models/${name} from codescore's repository, and give its path`;
}

/** Where a file among the shipped models lies. */
export const shippedFile = (name: string): string => join(packageRoot, "models", name);
