/**
 * SynthesisRTC of notebooks (Allamanis et al. 2024, section 4.1, on ARCADE). A cell makes the round trip, with the cells before
 * it as context. The prompts have the few-shot form of Yin et al. 2022. There is no lift: without a description nothing says what
 * the cell should do.
 */
import { answeredCode } from "../../languages/index.ts";
import type { Problem } from "../../types.ts";
import { sha256 } from "../../util/files.ts";
import { defaultPrompts, readTemplate, render } from "../llm/prompts.ts";
import { type RoundTripsOptions, type RoundTripsResult, runRoundTrips } from "../trip/run.ts";
import type { RoundTrip, RoundTripTask } from "../trip/trip.ts";

/** A cell before the one that makes the round trip. */
interface ContextCell {
  readonly kind: "markdown" | "code";
  readonly text: string;
}

export interface NotebookTaskOptions {
  /** Turns of notebooks, each with the cells before it that models see. */
  readonly turns: Iterable<{ readonly problem: Problem; readonly context: readonly ContextCell[] }>;
  /** Folder with notebook-forward.txt and notebook-backward.txt. @default the prompts of this package */
  readonly prompts?: string;
  /** Maximum characters of a description. @default 128 */
  readonly maxCharacters?: number;
  /** Maximum characters of the cells shown before a turn. Whole cells, nearest first. @default 8000 */
  readonly maxContext?: number;
}

/** Runs the round trips. See run.ts for the files. @throws as `runRoundTrips`, and `input` for unusable prompts */
export const notebookRtc = async (
  options: NotebookTaskOptions & Omit<RoundTripsOptions, "lift">,
): Promise<RoundTripsResult> => runRoundTrips(await notebookTask(options), { ...options, lift: false });

export async function notebookTask({
  turns,
  prompts = defaultPrompts,
  maxCharacters = 128,
  maxContext = 8000,
}: NotebookTaskOptions): Promise<RoundTripTask> {
  const forward = await readTemplate(prompts, "notebook-forward", {
    places: ["before", "code", "limit"],
    needed: ["code"],
  });
  const backward = await readTemplate(prompts, "notebook-backward", {
    places: ["before", "description"],
    needed: ["description"],
  });
  const trips = [...turns].map(({ problem, context }): RoundTrip => {
    const code = problem.references[0]!.trim();
    const before = shownCells(context, maxContext);
    return {
      id: problem.id,
      reference: code,
      input: code,
      description: problem.description === "" ? null : problem.description,
      fingerprint: sha256(JSON.stringify(problem.notebook)),
      shown: { above: before },
      forward: render(forward, { before, code, limit: String(maxCharacters) }),
      backward: (description) => render(backward, { before, description }),
      place: async (answer) => cellOf(answer),
    };
  });
  return {
    name: "synthesis of notebooks",
    uninformative: "",
    maxCharacters,
    trips,
    skipped: [],
    prompts: { forward: forward.sha256, backward: backward.sha256 },
  };
}

/** Cells in the format of nbconvert: code under `# In[ ]:`, markdown as comments. The nearest cells that fit into `most` characters. */
export function shownCells(cells: readonly ContextCell[], most: number): string {
  const texts: string[] = [];
  let left = most;
  for (const { kind, text } of cells.toReversed()) {
    const shown = kind === "code" ? `# In[ ]:\n${text.trim()}` : asComment(text);
    left -= shown.length;
    if (left < 0) break;
    texts.unshift(shown);
  }
  return texts.join("\n\n");
}

const asComment = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => `# ${line}`.trimEnd())
    .join("\n");

/** The cell in an answer. If the model continued with further cells, the first. */
function cellOf(answer: string): string {
  const [before = "", ...more] = answeredCode(answer.replace(/\r\n?/g, "\n")).split(/^# In\[.?\]:.*$/m);
  return (before.trim() === "" ? (more[0] ?? "") : before).trim();
}
