/** Three small problems, and what a good model would say about them. */
import type { Problem } from "../../src/types.ts";

const problem = (id: string, entryPoint: string | null, reference: string): Problem => ({
  id,
  description: `What ${id} wants.`,
  prompt: "",
  entryPoint,
  references: reference === "" ? [] : [reference],
  tests: [],
  setup: "",
  contract: "",
  source: "test",
});

export const twice = problem("t/twice", "twice", 'def twice(x):\n    """Doubles."""\n    return 2 * x\n');
export const greet = problem("t/greet", null, "print('hello ' + input())\n");
export const clip = problem("t/clip", "clip", "def clip(x, low, high):\n    return max(low, min(x, high))\n");
export const broken = problem("t/broken", "gone", "def other():\n    return 1\n");
export const bare = problem("t/bare", "f", "");
