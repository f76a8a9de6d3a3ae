/** No sandbox: programs run with the rights of whoever starts them. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Backend } from "./backend.ts";
import { findPython, pythonEnv, pythonFlags, SCRIPTS } from "./python.ts";

const abilities = { pidNamespace: false, privateTmp: false, forks: true } as const;

export const none: Backend = {
  kind: "none",
  abilities,
  async open({ allowUnsafe, hashSeed }) {
    if (!allowUnsafe) {
      throw new CodescoreError(
        "usage",
        "sandbox `none` runs untrusted programs with your rights: they can read and delete your files and use the " +
          "network. Say --allow-unsafe (allowUnsafe: true) if every program is trusted, or use --sandbox auto",
      );
    }
    const python = await findPython();
    if (!python) return "needs Python 3.9 or later on the PATH; found none";
    return {
      kind: "none",
      abilities,
      command: (server) => ({
        file: python.file,
        args: [...pythonFlags, join(SCRIPTS, `${server}.py`)],
        env: pythonEnv(hashSeed),
      }),
    };
  },
};
