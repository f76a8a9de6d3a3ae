/**
 * Doctests that print nothing: `>>> f([])` and then another prompt, a blank line or the end. Python then expects that the expression gives
 * None. Authors also show calls without their answers. So such a call is read only if its block shows the answer to another call of the
 * function.
 */

/** The prompts of a text by the offset of their line, each with the number of its block. Blank lines between examples do not end a block. */
export function promptBlocks(text: string): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>();
  let [block, at] = [0, 0];
  // An example lasts until a blank line, and a block until prose after one.
  let state: "outside" | "example" | "gap" = "outside";
  for (const line of text.split("\n")) {
    if (/^[ \t]*>>>/.test(line)) {
      if (state === "outside") block += 1;
      blocks.set(at, block);
      state = "example";
    } else if (line.trim() === "") state = state === "outside" ? state : "gap";
    else if (state === "gap") state = "outside";
    at += line.length + 1;
  }
  return blocks;
}

const ALONE_BEFORE = /^[ \t]*>>>[ \t]*$/;
const NOTHING_AFTER = /^[ \t]*(?:#[^\n]*)?(?:$|\n[ \t]*(?:$|\n|>>>|"""|'''|```))/;

/** Whether a call is all of a prompt, and nothing is printed. */
export const isSilent = ({ before, after }: { readonly before: string; readonly after: string }): boolean =>
  ALONE_BEFORE.test(before) && NOTHING_AFTER.test(after);
