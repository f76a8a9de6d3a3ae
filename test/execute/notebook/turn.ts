/** Helper to write notebook turns in tests. */
import type { NotebookTurn, Problem } from "../../../src/types.ts";

export const turn = (before: readonly string[], reference: string, more: Partial<NotebookTurn> = {}): Problem => ({
  id: "test/1",
  description: "",
  prompt: "",
  entryPoint: null,
  references: [reference],
  tests: [],
  setup: "",
  contract: "",
  source: "notebook",
  notebook: { name: "test", before, raising: [], needed: [], imports: "", files: null, ...more },
});
