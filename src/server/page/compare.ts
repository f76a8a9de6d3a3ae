/** Candidate and reference side by side with the differing lines marked; one above the other on a narrow page. */
import { type Change, MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Difference } from "./api.ts";
import { changesOf } from "./changes.ts";
import { look } from "./editor.ts";

// Same colours as `--explain`: red for the candidate, green for the reference.
const theme = EditorView.theme({
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--added)" },
  "&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--deleted)" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--good)" },
  "&.cm-merge-b .cm-changedLineGutter, .cm-changedLineGutter": { background: "var(--bad)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "none",
    textDecoration: "underline 2px var(--good)",
  },
  "&.cm-merge-b .cm-changedText, .cm-changedText": { background: "none", textDecoration: "underline 2px var(--bad)" },
  ".cm-deletedChunk": { padding: "0 0.5rem 0 calc(0.4rem + 6ch)", textIndent: "-6ch" },
  "&.cm-merge-a": { borderLeft: "1px solid var(--line)" },
});

export interface Compared {
  /** The program that was scored. The line numbers of `differences` refer to it; the same holds for the reference. */
  readonly candidate: string;
  readonly reference: string;
  readonly differences: readonly Difference[];
  readonly nonce: string;
  readonly isNarrow: boolean;
}

export function compare(parent: HTMLElement, given: Compared): { destroy(): void } {
  const { candidate, reference, differences, nonce, isNarrow } = given;
  const side = (label: string): Extension[] => [
    look(nonce),
    theme,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
  const override = (): readonly Change[] =>
    changesOf(Text.of(reference.split("\n")), Text.of(candidate.split("\n")), differences);
  const shared = { diffConfig: { override }, gutter: true };
  if (isNarrow) {
    const unified = unifiedMergeView({ ...shared, original: reference, mergeControls: false });
    return new EditorView({
      parent,
      doc: candidate,
      extensions: [side("Candidate, with the reference\u2019s lines where they differ"), unified],
    });
  }
  return new MergeView({
    ...shared,
    parent,
    orientation: "b-a", // the same order as the inputs above
    a: { doc: reference, extensions: side("Reference") },
    b: { doc: candidate, extensions: side("Candidate") },
  });
}
