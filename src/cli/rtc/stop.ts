/** What Ctrl-C does to a run that the same command can resume. */
import { once } from "node:events";
import { CodescoreError } from "../../errors.ts";

/**
 * Wraps the action of a command so that a signal makes it throw. main.ts then reports the error and ends the process, which releases the
 * locks. Models' answers are already in the recording, so no work needs an orderly end. A second signal ends the process at once.
 */
export const resumable =
  <Options extends { readonly output: string }>(action: (options: Options) => Promise<void>) =>
  async (options: Options): Promise<void> => {
    const over = new AbortController();
    const signalled = ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal: over.signal }));
    const stopped = Promise.race(signalled).then(() => {
      throw new CodescoreError("infra", `stopped; run the same command again to continue from ${options.output}`);
    });
    try {
      await Promise.race([action(options), stopped]);
    } finally {
      over.abort();
    }
  };
