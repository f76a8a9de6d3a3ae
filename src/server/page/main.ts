/** The page of `codescore serve` in the browser: connects fields, buttons and results. */
import type { EditorView } from "@codemirror/view";
import type { Score } from "../../types.ts";
import { ask, type Explained, Refusal } from "./api.ts";
import { compare } from "./compare.ts";
import { byId, element } from "./dom.ts";
import { makeEditor, setText, textOf } from "./editor.ts";
import { fragmentOf, type Programs, programsIn } from "./link.ts";
import { candidateMarks, linesBefore, mark, referenceMarks } from "./marks.ts";
import { explanationOf, resultOf } from "./result.ts";

/** The initial programs. `scripts/bundle-page.mjs` inserts them. */
declare const EXAMPLE: Programs;

const nonce = document.querySelector("style")?.nonce ?? "";
const [form, button, result, said] = [
  byId<HTMLFormElement>("form"),
  byId<HTMLButtonElement>("button"),
  byId("result"),
  byId("said"),
];
const [key, keyField] = [byId<HTMLInputElement>("key"), byId("key-field")];
const [run, explain] = [byId<HTMLInputElement>("run"), byId<HTMLInputElement>("explain")];
const description = byId<HTMLTextAreaElement>("description");
const comparison = byId("comparison");
const coverage = Number(byId("page").dataset.coverage);
const canRun = run.closest("[hidden]") === null;

const editor = (id: string): EditorView =>
  makeEditor(byId(id), { labelledBy: `${id}-label`, nonce, changed: () => outdated() });
const [candidate, reference] = [editor("candidate"), editor("reference")];

const EDITED = "Edited since it was scored.";

/** Number of edits so far. An explanation of programs that have been edited since marks no lines. */
let edits = 0;
let compared: { destroy(): void } | null = null;
let hasResult = false;

const programs = (): Programs => ({
  candidate: textOf(candidate),
  reference: textOf(reference),
  description: description.value,
});

function outdated(): void {
  edits += 1;
  say(hasResult ? EDITED : "");
}

const say = (text: string): void => said.replaceChildren(text);

function forget(): void {
  result.replaceChildren();
  for (const view of [candidate, reference]) mark(view, []);
  compared?.destroy();
  compared = null;
  comparison.hidden = true;
  hasResult = false;
}

function fill(given: Programs): void {
  forget();
  setText(candidate, given.candidate);
  setText(reference, given.reference);
  description.value = given.description;
  say("");
}

async function score(): Promise<void> {
  const asked = programs();
  const began = edits;
  const wasRun = canRun && run.checked;
  forget();
  say("");
  button.disabled = true;
  result.replaceChildren(element("p", "quiet", wasRun ? "Scoring and running\u2026" : "Scoring\u2026"));
  try {
    const row = await ask<Score>(asked, key.value, wasRun ? { run: true } : {});
    result.replaceChildren(...resultOf(row, { coverage, canRun }));
    hasResult = true;
    if (edits !== began) say(EDITED);
    if (explain.checked) showExplanation(await ask<Explained>(asked, key.value, { explain: true }), asked, row, began);
  } catch (error) {
    const shown = element("p", "error", (error as Error).message);
    if (hasResult) result.append(shown);
    else result.replaceChildren(shown);
    if (error instanceof Refusal && error.isKey) {
      keyField.hidden = false; // a proxy in front may require one too
      key.focus();
    }
  } finally {
    button.disabled = false;
  }
}

function showExplanation(explained: Explained, asked: Programs, row: Score, began: number): void {
  result.lastElementChild?.before(...explanationOf(explained, row)); // keeps the details of the scoring last
  if (edits !== began) {
    say(EDITED);
    return;
  }
  const before = linesBefore(candidate.state.doc, explained.lines);
  if (before !== null)
    mark(
      candidate,
      candidateMarks(explained).map((one) => ({ ...one, line: one.line + before })),
    );
  const { differences } = explained;
  // A reference in a Markdown fence has its own line numbers.
  const shift = linesBefore(
    reference.state.doc,
    differences.flatMap((one) => one.reference ?? []),
  );
  if (shift !== null)
    mark(
      reference,
      referenceMarks(differences).map((one) => ({ ...one, line: one.line + shift })),
    );
  if (differences.length === 0 || before === null || shift === null) return;
  const from = (text: string, lines: number): string =>
    text
      .split(/\r\n?|\n/)
      .slice(lines)
      .join("\n");
  comparison.hidden = false;
  compared = compare(byId("diff"), {
    candidate: from(asked.candidate, before),
    reference: from(asked.reference, shift),
    differences,
    nonce,
    isNarrow: matchMedia("(max-width: 44rem)").matches,
  });
}

async function copyLink(): Promise<void> {
  try {
    history.replaceState(null, "", `#${await fragmentOf(programs())}`);
  } catch (error) {
    return say((error as Error).message);
  }
  const isCopied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  say(
    isCopied
      ? "Link copied. It contains the programs; they are not stored anywhere."
      : "The link is in the address bar. It contains the programs.",
  );
}

async function open(): Promise<void> {
  try {
    fill((await programsIn(location.hash.slice(1))) ?? EXAMPLE);
  } catch (error) {
    say((error as Error).message);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!button.disabled) void score();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
description.addEventListener("input", outdated);
byId("example").addEventListener("click", () => fill(EXAMPLE));
byId("clear").addEventListener("click", () => {
  fill({ candidate: "", reference: "", description: "" });
  candidate.focus();
});
byId("link").addEventListener("click", () => void copyLink());
addEventListener("hashchange", () => void open());

const fields: [HTMLElement, (text: string) => void][] = [
  [byId("candidate"), (text) => setText(candidate, text)],
  [byId("reference"), (text) => setText(reference, text)],
  [
    description,
    (text) => {
      description.value = text;
      outdated();
    },
  ],
];
for (const [field, set] of fields) {
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("over");
  });
  field.addEventListener("dragleave", () => field.classList.remove("over"));
  // Runs before the editor, which would insert the file at the drop position.
  field.addEventListener(
    "drop",
    (event) => {
      field.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      void file.text().then(set);
    },
    { capture: true },
  );
}

void open();
