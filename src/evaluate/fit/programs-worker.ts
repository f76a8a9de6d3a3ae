/** A worker thread that reads programs for boost.ts. */
import { workerData } from "node:worker_threads";
import { doJobs, type Jobs } from "../../util/job-worker.ts";
import { loadPrograms, type Programs } from "./programs.ts";

async function open(modules: ReadonlySet<string> | undefined): Promise<Jobs> {
  const read = await loadPrograms(modules);
  return { read: ({ items }: { items: readonly Programs[] }) => items.map(read) };
}

doJobs(open((workerData as { readonly modules?: ReadonlySet<string> }).modules));
