import { CodescoreError, messageOf } from "../../errors.ts";

/** Installation advice for packages that need more than their own `npm install`. */
const INSTALL: Readonly<Record<string, string>> = {
  "@tensorflow/tfjs":
    "training needs TensorFlow.js: npm install @tensorflow/tfjs @tensorflow/tfjs-backend-wasm " +
    "(on Linux `codescore setup tensorflow` then builds a faster engine)",
};

/** Imports a package that only training uses. Throws `CodescoreError("environment")` if it is absent or does not load. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  return load().catch((error: unknown) => {
    // The absent package may be a dependency of this one. Then this one is only partly installed.
    const code = (error as NodeJS.ErrnoException).code ?? "";
    // The build loads some packages by `require`, which has another code (scripts/bundle.mjs).
    const absent = /^(ERR_)?MODULE_NOT_FOUND$/.test(code) && messageOf(error).includes(`'${name}'`);
    const what = absent
      ? `${name} is not installed; ${INSTALL[name] ?? `npm install ${name}`}`
      : `${name} is installed but does not load; npm install it again: ${messageOf(error)}`;
    throw new CodescoreError("environment", what, { cause: error });
  });
}
