/** Checks that rows are in Python. Otherwise a set in another language would be taken for Python programs that fail every test. */
import { CodescoreError } from "../errors.ts";
import { foreignNamed, type Language, loadProgramReader, READS } from "../languages/index.ts";
import type { Problem } from "../types.ts";
import type { Row } from "./rows.ts";

/** The language other than Python that a field of the row names; null if there is none. */
function namedIn({ value }: Row): Language | null {
  for (const name of [value.language, value.lang]) {
    const language = typeof name === "string" ? foreignNamed(name) : null;
    if (language !== null) return language;
  }
  return null;
}

/** The language in the id: HumanEvalPack and HumanEval-X put it before the number (`JavaScript/0`). */
const namedInId = ({ value }: Row): Language | null =>
  foreignNamed(/^([\w+#]+)\/\d+$/.exec(typeof value.task_id === "string" ? value.task_id : "")?.[1] ?? "");

/** Throws `CodescoreError("input")` if the row of a sample names another language. */
export function checkSampleLanguage(row: Row): void {
  const language = namedIn(row);
  if (language === null) return;
  throw new CodescoreError("input", `${row.where}: the row's language is ${language.name}; ${READS}`);
}

/** Throws `CodescoreError("input")` if the row or its id names another language, unless one of its programs is Python. */
export async function checkRowLanguage(row: Row): Promise<void> {
  const language = namedIn(row) ?? namedInId(row);
  if (language === null) return;
  const read = await loadProgramReader();
  for (const program of programsOf(row)) {
    const found = await read(program);
    if ("program" in found && found.parses) return;
  }
  throw new CodescoreError("input", `${row.where}: a problem in ${language.name}; ${READS}`);
}

function programsOf({ value }: Row): string[] {
  const { prompt, declaration, canonical_solution: solution, code, references } = value;
  const whole = [prompt, declaration].map((head) => (typeof head === "string" ? `${head}${solution ?? ""}` : null));
  const given = [...(solution ? whole : []), code, ...(Array.isArray(references) ? references : [])];
  return given.filter((text): text is string => typeof text === "string" && text.trim() !== "");
}

/** Throws `CodescoreError("input")` if all references are in another language, no matter what the row says. */
export async function checkReferences({ references }: Problem, where: string): Promise<void> {
  const read = await loadProgramReader();
  let foreign: string | null = null;
  for (const reference of references) {
    const found = await read(reference);
    if (!("foreign" in found)) return;
    foreign ??= found.foreign;
  }
  if (foreign !== null) throw new CodescoreError("input", `${where}: the reference ${foreign}; ${READS}`);
}
