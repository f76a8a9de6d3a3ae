/** Pairs of names of which the first is the smaller number, such as `start` and `end`. */
const ORDERED =
  /^(?:s|start\w*|since|lo|low\w*|from\w*|begin\w*|first|open\w*|min|min_\w*|left|a) (?:e|end\w*|finish\w*|hi|high\w*|to|to_\w*|last|until|stop\w*|clos\w*|max|max_\w*|right|b)$/i;

export const areOrdered = (first: string, second: string): boolean => ORDERED.test(`${first} ${second}`);
