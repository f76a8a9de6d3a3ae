/** A progress bar on stderr with rate and remaining time. If stderr is not a terminal, one line every ten seconds. */
import cliProgress from "cli-progress";

export interface Progress {
  /** Adds `n` finished items; `note` replaces the text at the end of the line. */
  tick(n?: number, note?: string): void;
  /** Ends the line. */
  done(): void;
}

export interface ProgressOptions {
  readonly label: string;
  readonly total: number;
  /** What is counted, e.g. `programs`. */
  readonly unit: string;
  /** Items done before this run; not counted in the rate. @default 0 */
  readonly start?: number;
  /** @default false */
  readonly quiet?: boolean;
}

/** The remaining time is estimated from the last so many seconds, because items may finish in groups and at different speeds. */
const RECENT_S = 60;

/**
 * The least recent rate, as a share of the rate of the whole run: items that finish in order wait behind a slow one, and then all finish at
 * once. Such a pause would make days of minutes.
 */
const SLOWEST = 0.5;

/** No remaining time is shown before so many seconds: the first items finish late. */
const FIRST_S = 15;

/** Nor before this share is done, unless it takes longer than so many seconds: a few slow first items would make hours of minutes. */
const FIRST_SHARE = 0.02;
const FIRST_SHARE_S = 120;

export function startProgress({ label, total, unit, start = 0, quiet = false }: ProgressOptions): Progress {
  if (quiet) return { tick: () => {}, done: () => {} };
  const began = Date.now();
  const terminal = process.stderr.isTTY === true;
  let done = start;
  let note = "";
  /** Time and count of finished items, about once a second, over the recent past. */
  let marks = [{ time: began, done: start }];
  const mark = (): void => {
    const time = Date.now();
    if (time - marks.at(-1)!.time < 1000) return;
    marks.push({ time, done });
    marks = marks.filter((one, i) => i >= marks.length - 2 || time - one.time <= RECENT_S * 1000);
  };
  /** Remaining seconds, or null if nothing finished recently. */
  const left = (): number | null => {
    const [first] = marks;
    const now = Date.now();
    const perSecond = (items: number, since: number): number => items / Math.max((now - since) / 1000, 1e-3);
    const recent = perSecond(done - first!.done, first!.time);
    const rate = Math.max(recent, SLOWEST * perSecond(done - start, began));
    return rate > 0 ? (total - done) / rate : null;
  };
  const line = (): string => {
    const seconds = Math.max((Date.now() - began) / 1000, 1e-3);
    const rate = (done - start) / seconds;
    const isEarly = seconds < FIRST_S || (seconds < FIRST_SHARE_S && done - start < FIRST_SHARE * (total - start));
    const remaining = isEarly ? null : left();
    const ends = remaining === null ? "" : `, ${duration(remaining)} left`;
    return `${label} ${done}/${total} ${unit}, ${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)}/s${ends}${note ? `, ${note}` : ""}`;
  };
  if (!terminal) {
    let printed = began;
    return {
      tick: (n = 1, text = note) => {
        done += n;
        note = text;
        mark();
        if (Date.now() - printed < 10_000) return;
        printed = Date.now();
        process.stderr.write(`  ${line()}\n`);
      },
      done: () =>
        void process.stderr.write(
          `  ${line().replace(/, \S+ left/, "")} in ${duration((Date.now() - began) / 1000)}\n`,
        ),
    };
  }
  const bar = new cliProgress.SingleBar({
    format: (options, params) => `  ${cliProgress.Format.BarFormat(params.progress, options)} ${line()}`,
    stream: process.stderr,
    hideCursor: true,
    barsize: 24,
    barCompleteChar: "\u2588",
    barIncompleteChar: "\u2591",
  });
  bar.start(total, start);
  return {
    tick: (n = 1, text = note) => {
      done += n;
      note = text;
      mark();
      bar.update(done);
    },
    done: () => bar.stop(),
  };
}

/** A readable duration: `4s`, `2m10s`, `3h05m`. */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m${String(s % 60).padStart(2, "0")}s`;
  return `${Math.floor(s / 3600)}h${String(Math.floor((s % 3600) / 60)).padStart(2, "0")}m`;
}
