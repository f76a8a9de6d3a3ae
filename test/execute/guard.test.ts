/** What the guard needs from the sandbox around it: a process namespace, and a private /tmp; each tested separately. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { PythonExecutor } from "../../src/execute/execute.ts";
import { defaultLimits } from "../../src/execute/index.ts";
import { findSandbox } from "../../src/execute/sandbox/index.ts";
import { which } from "../../src/execute/sandbox/python.ts";
import { packageRoot } from "../../src/util/files.ts";
import { bwrapWorks } from "./open.ts";

/** Becomes the leader of a process group, and checks whether the file it left in /tmp is there. This program cannot share a process. */
const program = {
  code: `
import os
def f(leave):
    if leave:
        open("/tmp/left", "w").close()
    return [os.getpgid(0) == os.getpid(), os.path.exists("/tmp/left")]
`,
  entryPoint: "f",
  setup: "",
};

/** What the second program sees after one that left a file, in bubblewrap with a guard that is not told about `untold`. */
async function seenWithout(untold: string): Promise<unknown> {
  const sandbox = await findSandbox({ sandbox: "bwrap" });
  const command: typeof sandbox.command = (server, memoryMb) => {
    const { args, ...rest } = sandbox.command(server, memoryMb);
    return { ...rest, args: args.filter((arg) => arg !== untold) };
  };
  const executor = await PythonExecutor.open({ ...sandbox, command }, defaultLimits, 1, false);
  onTestFinished(() => executor.close());
  await executor.answers(program, [{ args: "True" }]);
  const [answer] = await executor.answers(program, [{ args: "False" }]);
  return answer?.outcome === "ok" ? answer.value : answer;
}

const seen = (...values: readonly boolean[]): unknown => ({ t: "list", v: values.map((v) => ({ t: "bool", v })) });

describe.skipIf(!bwrapWorks)("a guard in bubblewrap", () => {
  it("kills all there is and empties /tmp", async () => {
    expect(await seenWithout("")).toEqual(seen(false, false));
  });

  it("empties /tmp, and kills by group, where its processes have no namespace of their own", async () => {
    expect(await seenWithout("pid-namespace")).toEqual(seen(true, false));
  });

  it("leaves a /tmp alone that is not its own", async () => {
    expect(await seenWithout("private-tmp")).toEqual(seen(false, true));
  });
});

const python = (await which("python3")) ?? "";

describe.skipIf(python === "")("a guard", () => {
  const guard = join(packageRoot, "src", "execute", "python", "guard.py");

  it.each([
    ["pid-namespace", /expected to be process 1 of a namespace/],
    ["bwrap", /expected facts among pid-namespace.*, got bwrap/],
  ])("that is told %s, which is not so, ends", async (fact, message) => {
    const ended = promisify(execFile)(python, ["-s", "-S", "-B", guard, fact], { timeout: 20_000 });
    await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});
