/** Numbers in words, as descriptions write them. */

export const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** The number that a word or up to three digits stand for; null for anything else. */
export function numberIn(word: string): number | null {
  const place = NUMBER_WORDS.indexOf(word.toLowerCase());
  if (place >= 0) return place;
  return /^\d{1,3}$/.test(word) ? Number(word) : null;
}
