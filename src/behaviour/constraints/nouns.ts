/** Regular expressions of the words that name types. */

/** Words between an article and a type. */
export const ADJECTIVE =
  "(?:strictly |single |finite |plain |short |sorted |non-?empty |positive |negative |non-?negative |natural |whole |lower-?case |upper-?case |ordinary )";
export const TYPE =
  "integers?|ints?|whole numbers?|numbers?|floats?|strings?|strs?|texts?|bool(?:ean)?s?|lists?|arrays?|tuples?|pairs?|triples?|dict(?:ionary|ionaries|s)?|sets?";
/** `positive int` */
export const NOUN = `${ADJECTIVE}{0,3}(?:${TYPE})`;
