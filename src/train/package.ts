import { CodescoreError, messageOf } from "../errors.ts";

/** Imports a package that only training uses. Throws `CodescoreError("environment")` where it is absent or does not load. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    const absent = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const what = absent
      ? `${name} is not installed; npm install ${name}`
      : `${name} is installed but does not load: ${messageOf(error)}`;
    throw new CodescoreError("environment", what, { cause: error });
  });
}
