/** The shipped models. The npm package contains only what scoring on a CPU needs. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { packageRoot } from "./files.ts";

/** For an error about a missing file: where to find it if it belongs to a shipped model; otherwise empty. */
export function whereLeftOut(path: string): string {
  const inside = relative(join(packageRoot, "models"), resolve(path));
  if (isAbsolute(inside) || inside.startsWith("..")) return "";
  const [name] = inside.split(sep);
  return `; the npm package does not contain it: get models/${name} from codescore's repository, and give its path`;
}

/** The path of a file in the folder of shipped models. */
export const shippedFile = (name: string): string => join(packageRoot, "models", name);
