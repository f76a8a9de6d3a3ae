/**
 * A Python server in a child process. Both sides send frames: 4 bytes of length (big endian), then text. Replies come in the
 * order of the requests. This module does not interpret the frames.
 */
import { constants } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The server is gone, or never came up. The message contains the last thing that it printed. */
export class ServerGone extends Error {}

const MAX_FRAME = constants.MAX_STRING_LENGTH; // bytes of a received frame
const KEPT_STDERR = 2000;
/** Milliseconds after which a server is killed even if it has not said that it is ready. */
const START_MS = 2000;

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #waiting: { resolve: (frame: string) => void; reject: (error: Error) => void }[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  #stderr = "";
  #gone: ServerGone | null = null;
  readonly #exited: Promise<void>;
  /** The server's first frame. */
  readonly hello: Promise<string>;

  constructor({ file, args, env }: Command) {
    this.#child = spawn(file, args, { env, stdio: ["pipe", "pipe", "pipe"], cwd: "/" });
    this.hello = this.#next();
    this.hello.catch(() => {}); // prevents an unhandled rejection; callers that await `hello` still see the error
    this.#exited = new Promise((resolve) => {
      this.#child.once("close", (status, signal) => {
        this.#end(`ended with ${signal ?? `status ${status}`}`);
        resolve();
      });
      this.#child.once("error", (error) => {
        this.#end(error.message);
        resolve();
      });
    });
    this.#child.stdout?.on("data", (piece: Buffer) => this.#receive(piece));
    this.#child.stderr?.on("data", (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString()).slice(-KEPT_STDERR);
    });
    this.#child.stdin?.on("error", () => {}); // the "close" event reports a dead server
  }

  get gone(): boolean {
    return this.#gone !== null;
  }

  /** Sends a frame; resolves with the reply. Rejects with ServerGone. */
  request(text: string): Promise<string> {
    if (this.#gone) return Promise.reject(this.#gone);
    const size = Buffer.byteLength(text);
    const frame = Buffer.allocUnsafe(4 + size);
    frame.writeUInt32BE(size);
    frame.write(text, 4);
    this.#write(frame);
    return this.#next();
  }

  /** Kills the server and everything it started (its namespace dies with it). Resolves when it is gone. */
  async kill(): Promise<void> {
    const hello = this.hello.catch(() => {});
    this.#child.stdin?.destroy();
    // If bubblewrap is killed while it sets up its namespaces, its child waits for it forever, and holds our pipes.
    await Promise.race([hello, this.#exited, setTimeout(START_MS, null, { ref: false })]);
    this.#end("was ended");
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** Requests made in the same tick go out in one system call. */
  #write(frame: Buffer): void {
    const { stdin } = this.#child;
    if (stdin === null) return;
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(frame);
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #receive(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes >= 4) {
      if ((this.#pieces[0] as Buffer).length < 4) this.#pieces = [Buffer.concat(this.#pieces)];
      const size = (this.#pieces[0] as Buffer).readUInt32BE(0);
      if (size > MAX_FRAME) {
        void this.kill();
        return;
      }
      if (this.#bytes < 4 + size) return;
      const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
      this.#pieces = all.length > 4 + size ? [all.subarray(4 + size)] : [];
      this.#bytes = all.length - 4 - size;
      this.#waiting.shift()?.resolve(all.toString("latin1", 4, 4 + size)); // frames are ASCII
    }
  }

  #end(how: string): void {
    if (this.#gone) return;
    // After an uncaught error Node prints its version, so the last line may not be the error.
    const lines = this.#stderr.trim().split("\n");
    const last = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    this.#gone = new ServerGone(last ? `${how}: ${last}` : how);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#gone);
  }
}
