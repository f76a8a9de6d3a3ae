/** Calls the modules of src/execute/python directly. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../src/execute/python");

/** The JSON that a Python script prints. The script has `given` as its variable `given`. */
export function python<T>(script: string, given: unknown = null): T {
  const whole = `import json, sys\nsys.path.insert(0, sys.argv[1])\ngiven = json.load(sys.stdin)\n${script}`;
  const options = { input: JSON.stringify(given), encoding: "utf8" } as const;
  return JSON.parse(execFileSync("python3", ["-I", "-c", whole, FOLDER], options)) as T;
}

/** The value of a Python expression over `code` and its `tree`, for every program. `tree` is None if the program is not shareable. */
export const eachProgram = <T>(expression: string, programs: readonly string[]): T[] =>
  python<T[]>(
    `from shareable import shareable
from memoize import recursive
from loops import loops_of, may_be_watched
print(json.dumps([${expression} for code, tree in [(code, shareable(code)) for code in given]]))`,
    programs,
  );
