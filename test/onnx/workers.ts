/** Records every thread that is started through `import { Worker }`, in modules already loaded and in later ones. */
import { createRequire, syncBuiltinESMExports } from "node:module";
import type { Worker } from "node:worker_threads";

const threads = createRequire(import.meta.url)("node:worker_threads") as { Worker: typeof Worker };
const real = threads.Worker;

function give(one: typeof Worker): void {
  threads.Worker = one;
  syncBuiltinESMExports();
}

/** The threads started from now on, and a function that ends the recording. */
export function recordWorkers(): { readonly workers: Worker[]; readonly end: () => void } {
  const workers: Worker[] = [];
  give(
    class extends real {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        workers.push(this);
      }
    },
  );
  return { workers, end: () => give(real) };
}
