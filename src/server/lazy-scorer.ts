/** A scorer that is loaded with the first rows, for a server that may never get a scoring request. */
import type { BatchScorer } from "./scorer.ts";

type Closing = BatchScorer & { close(): Promise<void> };

/** A load that fails is retried with the next rows. */
export function lazyScorer(load: () => Promise<Closing>): Closing {
  let loading: Promise<Closing> | null = null;
  let loaded: Closing | null = null;
  const open = async (): Promise<Closing> => {
    loading ??= load();
    try {
      loaded = await loading;
      return loaded;
    } catch (error) {
      loading = null;
      throw error;
    }
  };
  return {
    get signature() {
      return loaded?.signature ?? "codescore|not loaded yet";
    },
    ready: async () => loaded?.ready(),
    scoreAll: async (inputs, options) => (await open()).scoreAll(inputs, options),
    close: async () => {
      const scorer = await loading?.catch(() => null); // the caller that started the load has got its error
      await scorer?.close();
    },
  };
}
