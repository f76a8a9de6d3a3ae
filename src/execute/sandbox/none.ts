/** No sandbox: programs run with the rights of the user who starts them. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Backend } from "./backend.ts";
import { FILES_VARIABLE, findPython, packagesEnv, pythonEnv, pythonFlags, SCRIPTS } from "./python.ts";

const abilities = { pidNamespace: false, privateTmp: false, forks: true } as const;

export const none: Backend = {
  kind: "none",
  abilities,
  async open({ allowUnsafe, hashSeed, python: asked }) {
    if (!allowUnsafe) {
      throw new CodescoreError(
        "usage",
        "sandbox `none` runs untrusted programs with your rights: they can read and delete your files and use the " +
          "network. Add --allow-unsafe (allowUnsafe: true) if you trust every program, or use --sandbox auto",
      );
    }
    const python = asked ?? (await findPython());
    if (!python) return "needs Python 3.9 or later on the PATH; found none";
    const { packages } = python;
    const env = { ...pythonEnv(hashSeed), ...(packages && packagesEnv(packages.folders)) };
    return {
      kind: "none",
      abilities,
      ...(packages && { packages: packages.versions }),
      command: (server, _memoryMb, files) => ({
        file: python.file,
        args: [...pythonFlags, join(SCRIPTS, `${server}.py`)],
        env: files === undefined ? env : { ...env, [FILES_VARIABLE]: files },
      }),
    };
  },
};
