/**
 * Landlock (Linux 5.13 and later), for machines that offer neither root nor namespaces, such as most containers. confine.py puts the rules
 * on itself and then becomes the server. The required seccomp filter goes on the judge, and on each process that runs programs. Needs Python.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import type { LandlockLevel } from "../types.ts";
import type { Backend, BackendOptions, Sandbox, ServerName } from "./backend.ts";
import { asNobody } from "./bwrap.ts";
import { type Command, ServerProcess } from "./process.ts";
import { FILES_VARIABLE, findPython, packagesEnv, pythonEnv, pythonFlags, SCRIPTS } from "./python.ts";

const abilities = { pidNamespace: false, privateTmp: false, forks: true } as const;

/** Never without the seccomp filter: the filter keeps programs from the network and, on older kernels, from signalling others. */
export const landlock: Backend = { kind: "landlock", abilities, open };

async function open({ hashSeed, python: asked }: BackendOptions): Promise<Sandbox | string> {
  if (process.platform !== "linux") return `Landlock needs Linux, this is ${process.platform}`;
  const python = asked ?? (await findPython());
  if (!python) return "needs Python 3.9 or later on the PATH (apt-get install python3)";
  const packages = python.packages && { packages: python.packages.versions };
  const env = { ...pythonEnv(hashSeed), ...(python.packages && packagesEnv(python.packages.folders)) };
  let why = "";
  for (const [file, ...before] of [...(await asNobody(python.file)), [python.file]] as [string, ...string[]][]) {
    const command = (server: ServerName, _memoryMb?: number, files?: string): Command => ({
      file,
      args: [
        ...[...before, ...pythonFlags, join(SCRIPTS, "confine.py"), python.prefix, server],
        ...(server === "judge" ? [] : [tmpdir(), "seccomp"]),
      ],
      env: files === undefined ? env : { ...env, [FILES_VARIABLE]: files },
    });
    const probe = new ServerProcess(command("guard"));
    try {
      const { abi, lacking } = (JSON.parse(await probe.hello) as { landlock: LandlockLevel }).landlock;
      const warning = `this kernel's Landlock is old (ABI ${abi}); not covered by it: ${lacking.join("; ")}`;
      return { kind: "landlock", abilities, ...packages, ...(lacking.length > 0 ? { warning } : {}), command };
    } catch (error) {
      why = messageOf(error);
    } finally {
      await probe.kill();
    }
  }
  return `it does not work here (${why})`;
}
