/** Pairs of names of which the first is the smaller number, such as `start` and `end`. */
const ORDERED =
  /^(?:s\w*|lo\w*|from\w*|begin\w*|first|start\w*|open\w*|min\w*|left|a) (?:e\w*|hi\w*|to\w*|finish|last|until|stop|clos\w*|max\w*|right|b)$/i;

export const areOrdered = (first: string, second: string): boolean => ORDERED.test(`${first} ${second}`);
