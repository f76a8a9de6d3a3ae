/** Marks in an editor: faults, lines that lower the score, and differences. They move with the text when it is edited. */
import { RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, WidgetType } from "@codemirror/view";
import type { Difference, Explained } from "./api.ts";
import { element, inline } from "./dom.ts";
import { signed } from "./words.ts";

/** A mark on a line, from 1. */
export interface Mark {
  readonly line: number;
  readonly kind: "differs" | "costs" | "fault";
  /** For `costs`: the effect. For `fault`: the fault. */
  readonly text?: string;
}

/** Minimum effect to show. Smaller ones are noise. */
const LEAST = 0.0005;

/** Marks of the candidate. A line with a fault or a cost is not also marked as a difference. */
export function candidateMarks({ findings, lines, differences }: Explained): Mark[] {
  const spread = ({ line, text }: { line: number; text: string }): number[] => text.split("\n").map((_, i) => line + i);
  const costly = lines.filter(({ effect }) => effect <= -LEAST);
  const marks = [
    ...findings.flatMap(({ line, what }): Mark[] => (line === null ? [] : [{ line, kind: "fault", text: what }])),
    ...costly.flatMap((one): Mark[] =>
      spread(one).map((line, i) => ({ line, kind: "costs", ...(i === 0 && { text: signed(one.effect) }) })),
    ),
  ];
  const taken = new Set(marks.map(({ line }) => line));
  const differing = differences.flatMap(({ candidate }) => (candidate === null ? [] : spread(candidate)));
  return [...marks, ...differing.filter((line) => !taken.has(line)).map((line): Mark => ({ line, kind: "differs" }))];
}

/** Marks of the reference's lines that the candidate lacks or has in another form. */
export const referenceMarks = (differences: readonly Difference[]): Mark[] =>
  differences.flatMap(({ reference }) =>
    reference === null
      ? []
      : reference.text.split("\n").map((_, i): Mark => ({ line: reference.line + i, kind: "differs" })),
  );

/**
 * Number of lines before the program that was scored. An answer may contain it in a fence, and line numbers count from its start.
 * Null if its lines are not found.
 */
export function linesBefore(
  doc: Text,
  lines: readonly { readonly line: number; readonly text: string }[],
): number | null {
  const most = doc.lines - Math.max(0, ...lines.map(({ line }) => line));
  for (let before = 0; before <= most; before++) {
    if (lines.every(({ line, text }) => doc.line(line + before).text === text.split("\n")[0])) return before;
  }
  return null;
}

class Fault extends WidgetType {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: Fault): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    return element("div", "cm-fault", ...inline(this.text));
  }
}

class Effect extends GutterMarker {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: Effect): boolean {
    return other.text === this.text;
  }
  override toDOM(): Node {
    return document.createTextNode(this.text);
  }
}

interface Shown {
  readonly lines: DecorationSet;
  readonly effects: RangeSet<Effect>;
}

const none: Shown = { lines: Decoration.none, effects: RangeSet.empty };
const setMarks = StateEffect.define<readonly Mark[]>();

function shown(doc: Text, marks: readonly Mark[]): Shown {
  const known = marks.filter(({ line }) => line >= 1 && line <= doc.lines);
  const decorations = known.flatMap(({ line, kind, text }) => {
    const { from, to } = doc.line(line);
    const own = Decoration.line({ class: `cm-${kind}-line` }).range(from);
    if (kind !== "fault") return [own];
    return [own, Decoration.widget({ widget: new Fault(text ?? ""), block: true, side: 1 }).range(to)];
  });
  const effects = known.flatMap(({ line, kind, text }) =>
    kind === "costs" && text !== undefined ? [new Effect(text).range(doc.line(line).from)] : [],
  );
  return { lines: Decoration.set(decorations, true), effects: RangeSet.of(effects, true) };
}

const marked = StateField.define<Shown>({
  create: () => none,
  update(value, { changes, docChanged, effects, state }) {
    const set = effects.find((effect) => effect.is(setMarks));
    if (set !== undefined) return shown(state.doc, set.value);
    return docChanged ? { lines: value.lines.map(changes), effects: value.effects.map(changes) } : value;
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
});

export const marks = [marked, gutter({ class: "cm-effects", markers: (view) => view.state.field(marked).effects })];

export const mark = (view: EditorView, all: readonly Mark[]): void => view.dispatch({ effects: setMarks.of(all) });
