/** The code of job-thread.ts that runs inside the thread. */
import { parentPort } from "node:worker_threads";
import { CodescoreError, messageOf } from "../errors.ts";
import type { JobAnswer, JobAsked } from "./job-thread.ts";

// biome-ignore lint/suspicious/noExplicitAny: who asks and who answers agree on the name of the job
export type Jobs = Readonly<Record<string, (argument: any) => unknown>>;

/** Runs incoming jobs one after another, once `opening` resolves. If it rejects, every job fails with its reason. */
export function doJobs(opening: Promise<Jobs>): void {
  let before: Promise<void> = opening.then(
    () => {},
    () => {},
  );
  parentPort!.on("message", (job: JobAsked) => {
    before = before.then(async () => parentPort!.postMessage(await answer(opening, job)));
  });
}

async function answer(opening: Promise<Jobs>, { id, name, argument }: JobAsked): Promise<JobAnswer> {
  try {
    return { id, value: await (await opening)[name]!(argument) };
  } catch (error) {
    return { id, code: error instanceof CodescoreError ? error.code : "infra", message: messageOf(error) };
  }
}
