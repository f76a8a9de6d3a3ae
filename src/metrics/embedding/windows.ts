/** Windows over an input that is longer than an encoder's positions (SLED; Ivgi et al. 2022), as in code_bert_score. */

/** Tokens [from, to) are read together. The vectors of [keepFrom, keepTo) are kept. */
export interface KeptWindow {
  readonly from: number;
  readonly to: number;
  readonly keepFrom: number;
  readonly keepTo: number;
}

/** Windows of `size` tokens that overlap by half. Each token is kept once, at least a quarter of a window from a cut. */
export function keptWindows(total: number, size: number): KeptWindow[] {
  if (total <= size) return [{ from: 0, to: total, keepFrom: 0, keepTo: total }];
  const margin = Math.floor(size / 4);
  const stride = size - 2 * margin;
  const windows: KeptWindow[] = [{ from: 0, to: size, keepFrom: 0, keepTo: size - margin }];
  for (let before = windows[0]!; before.to < total; before = windows.at(-1)!) {
    const to = Math.min(total, before.to + stride);
    const last = to === total;
    const from = last ? total - size : before.from + stride;
    windows.push({ from, to, keepFrom: before.keepTo, keepTo: last ? total : before.keepTo + stride });
  }
  return windows;
}
