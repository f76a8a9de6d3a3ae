/**
 * Judges cells of notebooks (`Problem.notebook`). The notebook is replayed up to the cell, reference and candidate run in forks of that state,
 * and what they set and show is compared here (units.ts).
 */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { Execution, NotebookTurn, Problem } from "../../types.ts";
import { sha256 } from "../../util/files.ts";
import { CopiedFiles } from "../copied-files.ts";
import { BEGINNING, jobLimits } from "../protocol.ts";
import type { Sandbox } from "../sandbox/backend.ts";
import { unknownBudget } from "../timed.ts";
import type { Limits } from "../types.ts";
import { summarise, unlabelled } from "../verdicts.ts";
import { NotebookServer, type RunLimits } from "./server.ts";
import { ReplayError, Session } from "./session.ts";
import { type Report, type Unit, unitsOf, verdictsOf } from "./units.ts";

/** Minimum limit of one value in bytes: a table in a notebook is larger than an answer to a call. */
const LEAST_BYTES = 8 << 20;
/** Minimum CPU seconds for writing a value down. */
const LEAST_REPORT_S = 5;
/** CPU seconds for importing what the notebook names. The first figure takes some too. */
const IMPORT_S = 60;
/** Maximum number of words of the reference that are looked up as variables. */
const MOST_NAMES = 100;
const KEPT_TURNS = 1024;

/** What is known of a turn once its reference has run. */
interface Prepared {
  readonly units: readonly Unit[] | string;
  /** The variables that the reference mentions, as they are before the cell. */
  readonly before: Report;
  readonly names: readonly string[];
  readonly limits: RunLimits;
  /** The variables that the reference changes. */
  readonly changed: ReadonlySet<string>;
}

export class NotebookRunner {
  readonly #sandbox: Sandbox;
  readonly #limits: Limits;
  readonly #size: number;
  readonly #files = new CopiedFiles();
  /** By notebook, least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #prepared = new Map<string, Promise<Prepared>>();

  /** Keeps at most `size` servers, not counting those in use. Throws `usage` for a sandbox that cannot fork. */
  constructor(sandbox: Sandbox, limits: Limits, size: number) {
    if (!sandbox.abilities.forks) {
      throw new CodescoreError(
        "usage",
        `the sandbox \`${sandbox.kind}\` cannot fork the state of a notebook: use --sandbox bwrap or landlock`,
      );
    }
    this.#sandbox = sandbox;
    this.#limits = { ...limits, outputBytes: Math.max(limits.outputBytes, LEAST_BYTES) };
    this.#size = size;
  }

  /** Never rejects because of what cells do. */
  async execute(problem: Problem, code: string): Promise<Execution> {
    const turn = problem.notebook as NotebookTurn;
    const [reference] = problem.references;
    if (reference === undefined) return unlabelled("no_label", "the turn has no reference cell");
    let session: Session | undefined;
    try {
      session = await this.#sessionOf(turn);
      const prepared = await this.#prepare(turn, reference, session);
      const { units } = prepared;
      if (typeof units === "string") return unlabelled("no_label", units);
      const kept = wordsOf(code).filter((name) => turn.needed.includes(name) && !prepared.changed.has(name));
      const set = units.flatMap((unit) => (unit.kind === "variable" ? [unit.variable] : []));
      const names = [...new Set([...set, ...kept])];
      const [candidate, before] = await session.at(turn, async (server) => {
        const ran = await server.run(code, names, prepared.limits);
        const missing = kept.some((name) => !prepared.names.includes(name));
        const was = missing ? await server.run("", kept, prepared.limits) : null;
        return [ran, was === null ? prepared.before : { lines: was.lines, names: kept }] as const;
      });
      return summarise(verdictsOf(units, { kept, before, candidate: { lines: candidate.lines, names } }));
    } catch (error) {
      if (error instanceof ReplayError) return unlabelled("no_label", error.message);
      throw error;
    } finally {
      if (session !== undefined) session.users -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    await this.#files.close();
  }

  async #sessionOf({ name, before, imports, files }: NotebookTurn): Promise<Session> {
    const key = JSON.stringify([name, before[0] ?? null, files?.sha256 ?? null]);
    const session =
      this.#sessions.get(key) ??
      new Session(async () => {
        const folder = files === null ? undefined : join(await this.#files.folder(), await this.#files.nameOf(files));
        const server = new NotebookServer(this.#sandbox, this.#limits.memoryMb, folder);
        // Imports everything that any cell imports at the beginning, if that changes nothing but time.
        await server.import([imports], IMPORT_S);
        return server;
      }, this.#limits.candidateCpuS);
    session.users += 1; // before the first `await`: meanwhile another notebook may close idle sessions
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    let spare = this.#sessions.size - this.#size;
    for (const [other, { idle }] of this.#sessions) {
      if (spare <= 0) break;
      if (!idle || other === key) continue;
      spare -= 1;
      const closing = this.#sessions.get(other)!;
      this.#sessions.delete(other);
      await closing.close();
    }
    return session;
  }

  #prepare(turn: NotebookTurn, reference: string, session: Session): Promise<Prepared> {
    const key = sha256(JSON.stringify([turn, reference]));
    const known = this.#prepared.get(key) ?? this.#runReference(turn, reference, session);
    this.#prepared.set(key, known);
    known.catch(() => this.#prepared.delete(key)); // do not cache a fault of the harness
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size <= KEPT_TURNS) break;
      this.#prepared.delete(oldest);
    }
    return known;
  }

  async #runReference(turn: NotebookTurn, reference: string, session: Session): Promise<Prepared> {
    const names = wordsOf(reference).slice(0, MOST_NAMES);
    const patient = this.#runLimits(this.#limits.candidateCpuS);
    return session.at(turn, async (server) => {
      const [was, first, second] = [
        await server.run("", names, patient),
        await server.run(reference, names, patient),
        await server.run(reference, names, patient),
      ];
      const report = (lines: typeof was.lines): Report => ({ lines, names });
      const before = report(was.lines);
      const needed = new Set(turn.needed);
      const units = unitsOf({ needed, before, reference: report(first.lines), again: report(second.lines) });
      const changed = names.filter((_, i) => {
        const at = i + first.lines.length - names.length;
        return was.lines[at]?.payload !== first.lines[at]?.payload;
      });
      const { testFactor } = this.#limits;
      const seconds = Math.max(unknownBudget(this.#limits), testFactor * first.cpuS);
      return { units, before, names, limits: this.#runLimits(seconds), changed: new Set(changed) };
    });
  }

  /** `seconds`: CPU time of the cell. */
  #runLimits(seconds: number): RunLimits {
    const limits = { ...jobLimits(this.#limits, { seconds: [] }, BEGINNING), loadCpuS: seconds };
    return { limits, seconds: Math.max(LEAST_REPORT_S, seconds) };
  }
}

/** All words of a cell that may be variables. Most are not; looking up a name that does not exist costs little. */
const wordsOf = (code: string): string[] => [...new Set(code.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])];
