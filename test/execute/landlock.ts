/** Landlock as older kernels have it. */
import { PythonExecutor } from "../../src/execute/execute.ts";
import { defaultLimits, type Executor, type Limits } from "../../src/execute/index.ts";
import { findSandbox } from "../../src/execute/sandbox/index.ts";

/** An executor of one worker that takes the kernel's Landlock for one of that level. */
export async function ofLevel(level: number, limits: Partial<Limits> = {}): Promise<Executor> {
  const sandbox = await findSandbox({ sandbox: "landlock" });
  const command: typeof sandbox.command = (server, memoryMb) => {
    const { args, ...rest } = sandbox.command(server, memoryMb);
    return { ...rest, args: server === "guard" ? [...args, `landlock=${level}`] : args };
  };
  return PythonExecutor.open({ ...sandbox, command }, { ...defaultLimits, ...limits }, 1, false);
}
