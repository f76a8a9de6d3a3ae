/** What Ctrl-C does to a run that goes on with the same command. */
import { once } from "node:events";
import { CodescoreError } from "../../errors.ts";

/**
 * The action of a command. A signal makes it throw: main.ts says so and ends the process, which lets go of the locks. What models said
 * is in the recording already, so no work has to end in an orderly way first. A second signal ends the process at once.
 */
export const resumable =
  <Options extends { readonly output: string }>(action: (options: Options) => Promise<void>) =>
  async (options: Options): Promise<void> => {
    const over = new AbortController();
    const signalled = ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal: over.signal }));
    const stopped = Promise.race(signalled).then(() => {
      throw new CodescoreError("infra", `stopped; the same command goes on from what is in ${options.output}`);
    });
    try {
      await Promise.race([action(options), stopped]);
    } finally {
      over.abort();
    }
  };
