/**
 * A rule that learns nothing: how alike a candidate and its reference are, in the form in which they are more alike, times
 * the static gate. The mean of chrF, subtree recall, unigram recall and data-flow recall, of the plain forms and of the
 * canonical forms (`tokenize/canonical`), the greater of both. What a learned metric must beat.
 */
import { type Form, type Forms, loadForms, type ReadForms } from "../tokenize/index.ts";
import { sentenceChrf } from "./chrf.ts";
import { gate, loadGate } from "./gate.ts";
import { type Bag, bagOf, dataFlow, recall, subtrees } from "./structure.ts";
import { tokenizeCode } from "./text.ts";

let read: ReadForms | undefined;

/** To be awaited once, before `rule`. Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadRule(): Promise<void> {
  await loadGate();
  read ??= await loadForms();
}

/** In [0, 1]; 0 where the gate is. */
export function rule(candidate: string, reference: string): number {
  if (read === undefined) throw new Error("loadRule() comes before rule()");
  if (gate(candidate, reference) === 0) return 0;
  const theirs = referenceOf(reference, read);
  const ours = read(candidate);
  return Math.max(alike(ours.plain, theirs.plain), alike(ours.canonical, theirs.canonical));
}

/** A form with what it is compared by. */
interface Wanted {
  readonly form: Form;
  readonly words: Bag;
  readonly trees: Bag | null;
  readonly flow: Bag | null;
}

/** The mean of the similarities that there are: none of trees where a program has no terms, of flow where nothing flows. */
function alike(ours: Form, { form, words, trees, flow }: Wanted): number {
  const values = [sentenceChrf(ours.text, form.text) / 100, recall(bagOf(tokenizeCode(ours.text)), words)];
  if (ours.terms !== null && trees !== null) values.push(recall(subtrees(ours.terms), trees));
  if (ours.terms !== null && flow !== null) values.push(recall(dataFlow(ours.terms), flow));
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

const wanted = (form: Form): Wanted => ({
  form,
  words: bagOf(tokenizeCode(form.text)),
  trees: form.terms === null ? null : subtrees(form.terms),
  flow: form.terms === null ? null : dataFlow(form.terms),
});

/** A problem's candidates follow each other with the same reference. */
let last: { readonly reference: string; readonly forms: { readonly [K in keyof Forms]: Wanted } } | undefined;

function referenceOf(reference: string, read: ReadForms): { readonly [K in keyof Forms]: Wanted } {
  if (last?.reference !== reference) {
    const { plain, canonical } = read(reference);
    last = { reference, forms: { plain: wanted(plain), canonical: wanted(canonical) } };
  }
  return last.forms;
}
