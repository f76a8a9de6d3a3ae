/**
 * Replays recorded calls of a project's functions with other code in them, each time in a fork within bubblewrap (replay.py). No tests
 * run, and a fork takes milliseconds. What comes back was written beside a candidate and is only data: it is read here and compared elsewhere.
 *
 * Candidates see a copy of the project that they cannot write to, in which the functions to replay have no bodies. They are under the
 * seccomp filter, and what they write is removed after each of them. Expected answers never enter the sandbox.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { packageRoot } from "../../util/files.ts";
import { systemWalls } from "../sandbox/bwrap.ts";
import { type Command, ServerGone, ServerProcess } from "../sandbox/process.ts";
import type { ProjectLimits, ProjectTests } from "./project.ts";
import { environmentOf, foldersOf, startOf } from "./walls.ts";

/** A module and the calls of its functions, which are loaded before programs run. */
export interface ReplayScene {
  /** Path within the project, with `/`. */
  readonly file: string;
  /** The text to put there: the file without the bodies of its functions. */
  readonly text: string;
  readonly original: string;
  readonly module: string;
  /** Where its functions begin in `text`, including decorators: lines from 1. */
  readonly functions: readonly { readonly line: number; readonly name: string }[];
  /** `function`: index into `functions`; `arguments`: as record.py pickled them, in base64. */
  readonly calls: readonly { readonly function: number; readonly arguments: string }[];
}

/** Which functions were found and which calls were loaded, in order, and the CPU seconds for it; or why nothing could be loaded. */
export type Loaded =
  | { readonly functions: readonly boolean[]; readonly calls: readonly boolean[]; readonly cpuS: number }
  | string;

/** The text of functions and their places (replayed.py), and the numbers of the calls to make, all of which were loaded. */
export interface ReplayProgram {
  readonly calls: readonly number[];
  readonly functions: readonly { readonly number: number; readonly text: string; readonly path: readonly string[] }[];
}

export interface Replayed {
  /**
   * `unfit`: the text is not a function of the kind at its place, which is found out before any of it runs; `broken`: it does not compile;
   * `answered`: it ended by itself. `late`, `chokes` (it wrote too much) and `crashed`: it was killed, or ended its own process.
   */
  readonly end: "unfit" | "broken" | "answered" | "late" | "chokes" | "crashed";
  /** What it wrote, if it can be believed: one line of JSON per call, and one with the module's data. */
  readonly lines: readonly string[];
  /** Why it is unfit. */
  readonly reason?: string;
  /** CPU seconds of its process, and of forking and following it. */
  readonly cpuS: number;
  readonly wallS: number;
}

/** Maximum bytes of a program's lines. */
const MOST_BYTES = 16 << 20;
const SCRATCH_MB = 64;
/** Writable, and emptied after each candidate. Not /tmp, because an environment may be in /tmp. */
const SCRATCH = "/scratch";
const LOADING_S = 120;
/** The copy of the project in which the tests ran; `sys.path` of the tests contains it. */
const TESTED = "/tmp/project";
const HERE = "/project";

/**
 * Opens a replay. Close it when done. `path` and `modules` are `sys.path` of the tests, and the modules of packages that they imported.
 * Throws `CodescoreError("usage")` for other sandboxes than bubblewrap, and `CodescoreError("environment")` if bubblewrap or the seccomp
 * filter is missing.
 */
export async function openReplay(
  { snapshot, environment, sandbox }: Pick<ProjectTests, "snapshot" | "environment" | "sandbox">,
  { path, modules }: { readonly path: readonly string[]; readonly modules: readonly string[] },
): Promise<ProjectReplay> {
  if (sandbox !== "bwrap") {
    throw new CodescoreError(
      "usage",
      `expected the sandbox bwrap for replaying calls, got ${sandbox}; leave out \`calls\``,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), "codescore-replay-"));
  try {
    await cp(snapshot, folder, { recursive: true, verbatimSymlinks: true });
    const walls = [...(await systemWalls()), "--perms", "0700", "--size", String(SCRATCH_MB << 20), "--tmpfs", SCRATCH];
    const env = { ...environmentOf(environment), HOME: SCRATCH, TMPDIR: SCRATCH };
    for (const [name, value] of Object.entries(env)) walls.push("--setenv", name, value);
    walls.push(...foldersOf(environment), "--ro-bind", folder, HERE);
    walls.push("--ro-bind", join(packageRoot, "src", "execute", "project"), "/replay");
    walls.push("--remount-ro", "/", "--chdir", HERE);
    const { file, args } = await startOf(environment, walls);
    const command = { file, args: [...args, "-s", "-B", "/replay/replay.py", ...modules], env: {} };
    const replay = new ProjectReplay(folder, command, path.map(here));
    await replay.start();
    return replay;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Translates a folder of the tests' copy to the replay's copy. */
const here = (path: string): string =>
  path === TESTED || path.startsWith(`${TESTED}/`) ? HERE + path.slice(TESTED.length) : path;

export class ProjectReplay {
  readonly #folder: string;
  readonly #command: Command;
  readonly #path: readonly string[];
  #server: ServerProcess | null = null;
  #scene: ReplayScene | null = null;
  /** The last request. Requests run one at a time, because there is only one scene. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, command: Command, path: readonly string[]) {
    this.#folder = folder;
    this.#command = command;
    this.#path = path;
  }

  /** Throws `CodescoreError("environment")` if the server does not come up. */
  async start(): Promise<void> {
    this.#server = new ServerProcess(this.#command);
    await this.#server.hello.catch((error: unknown) => {
      throw new CodescoreError("environment", `calls cannot be replayed here: ${messageOf(error)}`);
    });
  }

  /** Loads a scene, which replaces the one before. */
  open(scene: ReplayScene): Promise<Loaded> {
    return this.#alone(async () => {
      await this.#leave();
      await writeFile(join(this.#folder, scene.file), scene.text);
      this.#scene = scene;
      const { module, functions, calls, file } = scene;
      const request = {
        op: "open",
        path: this.#path,
        module,
        functions,
        calls,
        file: `${HERE}/${file}`,
        wallS: LOADING_S,
      };
      const reply = await this.#ask<{ why: string } | Exclude<Loaded, string>>(request);
      if (reply === null) return "the module does not load in time without the function bodies";
      return "why" in reply ? reply.why : reply;
    });
  }

  /** Runs a program on the calls of the open scene. Throws `CodescoreError("infra")` if the sandbox itself fails. */
  run(program: ReplayProgram, { wallS, cpuS }: ProjectLimits): Promise<Replayed> {
    return this.#alone(async () => {
      const reply = await this.#ask<{ lines: string[]; end: string; cpuS: number; wallS: number }>({
        op: "run",
        program,
        wallS,
        cpuS,
        bytes: MOST_BYTES,
      });
      if (reply === null || typeof reply.end !== "string") {
        throw new CodescoreError(
          "infra",
          "the sandbox that replays calls ended; run the same command again to continue",
        );
      }
      return read(reply);
    });
  }

  async close(): Promise<void> {
    await this.#server?.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Closes the scene and restores its file. */
  async #leave(): Promise<void> {
    if (this.#scene === null) return;
    await this.#ask({ op: "close" });
    await writeFile(join(this.#folder, this.#scene.file), this.#scene.original);
    this.#scene = null;
  }

  /** The reply; null if the server ended, in which case a new one has been started. */
  async #ask<Reply>(request: object): Promise<Reply | null> {
    try {
      return JSON.parse(await this.#server!.request(JSON.stringify(request))) as Reply;
    } catch (error) {
      if (!(error instanceof ServerGone)) throw error;
      await this.#server!.kill();
      await this.start();
      return null;
    }
  }
}

/** The first line is written before any of the program runs, so it can be trusted. Later lines cannot. */
function read(reply: { lines: string[]; end: string; cpuS: number; wallS: number }): Replayed {
  const { cpuS, wallS } = reply;
  const [first = "", ...lines] = reply.lines;
  const [word, ...words] = first.split(" ");
  if (word === "unfit") return { end: "unfit", lines: [], reason: words.join(" "), cpuS, wallS };
  if (word === "broken") return { end: "broken", lines: [], cpuS, wallS };
  if (first !== "ready") return { end: reply.end === "late" ? "late" : "crashed", lines: [], cpuS, wallS };
  return { end: reply.end === "ended" ? "answered" : (reply.end as Replayed["end"]), lines, cpuS, wallS };
}
