/** CI output of `codescore score --fail-under --fail-on`: JUnit XML, and annotations for GitHub Actions. */
import { CONCLUSIONS } from "../../score/conclusion.ts";
import type { OutputRow } from "../../score/index.ts";
import { writeAtomic } from "../../util/files.ts";
import { isUndecided, type Limits, refusalOf } from "./limit.ts";
import { lineIn } from "./place.ts";

/** One row in the report. */
interface Case {
  readonly name: string;
  readonly task: string | null;
  readonly outcome: "passed" | "skipped" | "failed" | "error";
  /** Why it was refused or not scored; else empty. */
  readonly refusal: string;
  /** `score 0.312, fails: line 3: nothing defines `x``; for an error, its message. */
  readonly message: string;
  /** Whether the message contains the refusal, because the row is refused for its conclusion. */
  readonly isSaid: boolean;
  /** Line in the file, from 1; null if no single line is responsible. */
  readonly line: number | null;
}

export class CiReport {
  readonly #limits: Limits;
  readonly #cases: Case[] = [];
  readonly #lines = new WeakMap<OutputRow["result"], number | null>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Finds the line of a result while the text of its candidate is there. */
  look(result: OutputRow["result"], text: string): void {
    if (!("error" in result)) this.#lines.set(result, lineIn(text, result));
  }

  add({ id, task, result }: OutputRow): void {
    const name = typeof id === "string" ? id : JSON.stringify(id);
    const about = { name, task: task ?? null };
    if ("error" in result) {
      const { message } = result.error;
      this.#cases.push({ ...about, outcome: "error", refusal: "not scored", message, isSaid: false, line: null });
      return;
    }
    const { score, conclusion, reason, findings = [] } = result;
    const why = conclusion === undefined ? "" : `, ${CONCLUSIONS[conclusion]}: ${reason}`;
    const said = findings.find((finding) => finding.line !== null)?.line ?? null;
    const line = this.#lines.has(result) ? this.#lines.get(result)! : said;
    const refusal = refusalOf(result, this.#limits) ?? "";
    const outcome = refusal !== "" ? "failed" : isUndecided(result, this.#limits) ? "skipped" : "passed";
    const isSaid = conclusion !== undefined && refusal === CONCLUSIONS[conclusion];
    this.#cases.push({ ...about, outcome, refusal, message: `score ${score.toFixed(3)}${why}`, isSaid, line });
  }

  async writeJunit(path: string, isFile: boolean): Promise<void> {
    await writeAtomic(path, this.junit(isFile));
    process.stderr.write(`wrote ${path}\n`);
  }

  /** JUnit XML for Jenkins, GitLab and others: one test case per row, failed if the row is refused, skipped if nothing decides about it. @param isFile whether the ids are paths */
  junit(isFile: boolean): string {
    const count = (outcome: Case["outcome"]): number => this.#cases.filter((one) => one.outcome === outcome).length;
    const counts = `tests="${this.#cases.length}" failures="${count("failed")}" errors="${count("error")}" skipped="${count("skipped")}"`;
    const cases = this.#cases.map(({ name, task, outcome, refusal, message, isSaid, line }) => {
      const place = isFile ? ` file="${xml(name)}"${line === null ? "" : ` line="${line}"`}` : "";
      const head = `    <testcase classname="${xml(task ?? "codescore")}" name="${xml(name)}"${place}`;
      if (outcome === "skipped") return `${head}><skipped message="${xml(message)}"/></testcase>\n`;
      if (outcome === "passed") return `${head}><system-out>${xml(message)}</system-out></testcase>\n`;
      const [tag, what] =
        outcome === "error" ? ["error", message] : ["failure", isSaid ? message : `${message} (${refusal})`];
      return `${head}><${tag} message="${xml(what!)}"/></testcase>\n`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="codescore" ${counts}>
${cases.join("")}  </testsuite>
</testsuites>
`;
  }

  /** One workflow command for each row that was refused or not scored. @param isFile whether the ids are paths; then the file and line are annotated */
  annotations(isFile: boolean): string {
    return this.#cases
      .filter(({ outcome }) => outcome === "failed" || outcome === "error")
      .map(({ name, refusal, message, line }) => {
        const place = isFile ? `file=${property(name)},${line === null ? "" : `line=${line},`}` : "";
        const text = isFile ? message : `${name}: ${message}`;
        return `::error ${place}title=${property(`codescore: ${refusal}`)}::${data(text)}\n`;
      })
      .join("");
  }
}

/** Escapes text for XML 1.0, which allows neither other control characters nor lone surrogates, even escaped. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Stops text from ending its command or starting another (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
