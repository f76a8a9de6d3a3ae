/** A progress bar for each file of a download. */
import { type Progress, startProgress } from "../../util/progress.ts";

export interface DownloadBar {
  /** `bytes` of the file have arrived so far. If the total is unknown, nothing is shown. */
  onProgress(file: string, bytes: number, total: number | null): void;
  done(): void;
}

export function downloadBar(): DownloadBar {
  let current: { readonly file: string; readonly bar: Progress; done: number } | null = null;
  return {
    onProgress(file, bytes, total) {
      if (total === null) return;
      const [done, all] = [Math.floor(bytes / 1000), Math.ceil(total / 1000)];
      if (current?.file !== file) {
        current?.bar.done();
        current = { file, bar: startProgress({ label: file, total: all, unit: "kB", start: done }), done };
      }
      current.bar.tick(done - current.done);
      current.done = done;
    },
    done: () => current?.bar.done(),
  };
}
