/**
 * Finds the branches of a reference that each input takes. A wrapper runs the reference with instrumented branches (branches.py)
 * and answers with the branches taken. For trusted programs only, because a program could forge its own coverage.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Executor, ProgramInput } from "../execute/types.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import type { Problem } from "../types.ts";
import { packageRoot } from "../util/files.ts";

const marker = join(packageRoot, "src", "dataset", "branches.py");
/** Factor by which the instrumentation slows a loop that consists only of conditions. */
const slowdown = 10;

/** Builds a program whose answer to an input is the list of branches that the reference takes on it. */
export async function coverageProgram(reference: string, entryPoint: string | null): Promise<string> {
  const source = printLiteral({ t: "str", v: reference });
  const marks = await readFile(marker, "utf8");
  if (entryPoint === null) {
    return `${marks}
def _codescore_main():
    import io, sys
    code, names, measure = _codescore_branches(${source})
    out, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    def run():
        try:
            exec(code, {"__name__": "__main__", **names})
        except SystemExit:
            pass
    seen = measure(run)
    sys.stdout = out
    print("\\n".join(seen))

_codescore_main()
`;
  }
  // The reference gets its own namespace. Its recursive calls then find the reference and not the wrapper.
  return `${marks}
def _codescore_wrap(space):
    code, names, measure = _codescore_branches(${source})
    space.update(names)
    exec(code, space)
    inner = space["${entryPoint}"]
    return measure, inner, {name: value for name, value in space.items() if not name.startswith("__")}

_codescore_measure, _codescore_inner, _codescore_names = _codescore_wrap(dict(globals()))
globals().update(_codescore_names)

def ${entryPoint}(*args, **kwargs):
    return _codescore_measure(lambda: _codescore_inner(*args, **kwargs))
`;
}

/** The branches that the first reference takes on each input; null for an input on which it fails or is stopped. */
export async function branchCoverage(
  problem: Problem,
  executor: Executor,
  inputs: readonly ProgramInput[],
): Promise<(readonly string[] | null)[]> {
  const { entryPoint, setup, references, files } = problem;
  const [reference] = references;
  if (reference === undefined || inputs.length === 0) return inputs.map(() => null);
  const code = await coverageProgram(reference, entryPoint);
  const { testCpuS, testFactor } = executor.limits;
  const answers = await executor.answers({ code, entryPoint, setup, files }, inputs, slowdown * testFactor * testCpuS);
  return answers.map((answer) => {
    if (answer.outcome !== "ok") return null;
    if (answer.value.t === "str") return answer.value.v.split("\n").filter((line) => line !== "");
    return answer.value.t === "list" ? answer.value.v.flatMap((item) => (item.t === "str" ? [item.v] : [])) : null;
  });
}
