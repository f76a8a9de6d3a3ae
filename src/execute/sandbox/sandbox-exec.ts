/**
 * macOS's sandbox-exec, through seatbelt.py. We wrote it but never ran it, so it is used only if the user names it and sets
 * `allowUnsafe`. It has no system call filter, and one profile covers both server and programs.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import type { Backend, BackendOptions, Sandbox, ServerName } from "./backend.ts";
import { type Command, ServerProcess } from "./process.ts";
import { findPython, pythonEnv, pythonFlags, SCRIPTS } from "./python.ts";

const abilities = { pidNamespace: false, privateTmp: false, forks: true } as const;

export const sandboxExec: Backend = { kind: "sandbox-exec", abilities, open };

async function open({ allowUnsafe, hashSeed, python: asked }: BackendOptions): Promise<Sandbox | string> {
  if (process.platform !== "darwin") return `sandbox-exec needs macOS, this is ${process.platform}`;
  if (asked !== undefined) return "it does not support packages (--python)";
  if (!allowUnsafe) {
    return "it was never tested; use --sandbox wasm, or --sandbox sandbox-exec --allow-unsafe (allowUnsafe: true)";
  }
  const python = await findPython();
  if (!python) return "needs Python 3.9 or later on the PATH";
  const command = (server: ServerName): Command => ({
    file: python.file,
    args: [...pythonFlags, join(SCRIPTS, "seatbelt.py"), server, tmpdir()],
    env: pythonEnv(hashSeed),
  });
  const probe = new ServerProcess(command("guard"));
  try {
    await probe.hello;
    const warning =
      "programs run under sandbox-exec, which was never tested: they may end their own server and start processes";
    return { kind: "sandbox-exec", abilities, warning, command };
  } catch (error) {
    return `it does not work here (${messageOf(error)})`;
  } finally {
    await probe.kill();
  }
}
