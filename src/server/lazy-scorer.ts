/** A scorer that is loaded when the first rows come, for a server that may never be asked for a score. */
import type { BatchScorer } from "./scorer.ts";

type Closing = BatchScorer & { close(): Promise<void> };

/** A load that fails is tried again with the next rows. */
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
      const scorer = await loading?.catch(() => null); // whoever asked for it knows that it failed
      await scorer?.close();
    },
  };
}
