/** A Python editor. Tab moves to the next field, as usual on a page; Enter indents. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { marks } from "./marks.ts";

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    color: "var(--defined)",
  },
]);

const theme = EditorView.theme({
  "&": { fontSize: "0.875rem", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "none" },
  ".cm-effects .cm-gutterElement": { color: "var(--bad)", fontWeight: "600", paddingLeft: "0.25rem" },
  // Long lines wrap. The rest of a line is indented, so that it does not look like a new one.
  ".cm-line": { padding: "0 0.5rem 0 calc(0.4rem + 6ch)", textIndent: "-6ch" },
  ".cm-differs-line": { backgroundColor: "var(--differs)", boxShadow: "inset 4px 0 var(--accent)" },
  ".cm-costs-line, .cm-fault-line": { backgroundColor: "var(--costs)", boxShadow: "inset 4px 0 var(--bad)" },
  ".cm-fault": {
    padding: "0 0.5rem 0.15rem 0.7rem",
    backgroundColor: "var(--costs)",
    boxShadow: "inset 4px 0 var(--bad)",
    color: "var(--bad)",
    fontFamily: "system-ui, sans-serif",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
});

/** The fields grow with their text up to a maximum height, without a maximum in print. */
const height = EditorView.theme({
  ".cm-scroller": { minHeight: "12rem", maxHeight: "28rem", overflow: "auto" },
  "@media print": { ".cm-scroller": { minHeight: "0", maxHeight: "none" } },
});

/** The appearance of code, also in the comparison. @param nonce allows the editor's style sheets under the page's policy */
export const look = (nonce: string): Extension[] => [
  EditorView.cspNonce.of(nonce),
  pythonLanguage,
  indentUnit.of("    "),
  syntaxHighlighting(highlighting),
  highlightSpecialChars(),
  lineNumbers(),
  EditorView.lineWrapping,
  theme,
];

export interface EditorOptions {
  /** Id of the element that labels it. */
  readonly labelledBy: string;
  readonly nonce: string;
  /** Called when its text has changed. */
  readonly changed: () => void;
}

export const makeEditor = (parent: HTMLElement, { labelledBy, nonce, changed }: EditorOptions): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        look(nonce),
        height,
        history(),
        indentOnInput(),
        bracketMatching(),
        // Ctrl + Enter submits the form.
        keymap.of([...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-labelledby": labelledBy }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) changed();
        }),
        marks,
      ],
    }),
  });

export const textOf = ({ state }: EditorView): string => state.doc.toString();

/** Replaces the text in a single undo step. */
export const setText = (view: EditorView, text: string): void =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
