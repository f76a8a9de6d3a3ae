/** Landlock as in older kernels. */
import { PythonExecutor } from "../../src/execute/execute.ts";
import { defaultLimits, type Executor, type Limits } from "../../src/execute/index.ts";
import { findSandbox } from "../../src/execute/sandbox/index.ts";

/** An executor with one worker that treats the kernel's Landlock as that level. */
export async function ofLevel(level: number, limits: Partial<Limits> = {}): Promise<Executor> {
  const sandbox = await findSandbox({ sandbox: "landlock" });
  const command: typeof sandbox.command = (server, memoryMb) => {
    const { args, ...rest } = sandbox.command(server, memoryMb);
    return { ...rest, args: server === "guard" ? [...args, `landlock=${level}`] : args };
  };
  return PythonExecutor.open({ ...sandbox, command }, { ...defaultLimits, ...limits }, 1, false);
}
