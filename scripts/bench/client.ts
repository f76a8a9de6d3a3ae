/** A client that loads a server on the same machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { connect, type Socket } from "node:net";

/** Starts the built `codescore serve` on a free port. */
export async function startServer(options: readonly string[]): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(process.execPath, ["dist/cli/main.js", "serve", "--port", "0", ...options], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (piece: Buffer) => {
      text += piece.toString();
      const found = /^listening on \S+:(\d+);/m.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.on("exit", () => reject(new Error(text)));
  });
  return { port, child };
}

/** Sends one request at a time over one connection. It does as little work as possible, because it takes CPU time from the server. */
export class Client {
  readonly #socket: Socket;
  #pieces: Buffer[] = [];
  #wanted = -1;
  #length = 0;
  #answered: (answer: Buffer) => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (piece) => this.#read(piece));
    this.#socket.on("error", () => this.#answered(Buffer.alloc(0)));
    this.#socket.on("close", () => this.#answered(Buffer.alloc(0)));
  }

  /** The whole response, headers and body; empty if the connection broke. */
  ask(path: string, value: object): Promise<Buffer> {
    const body = Buffer.from(JSON.stringify(value));
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(Buffer.concat([Buffer.from(head), body]));
    });
  }

  #read(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#wanted === -1) {
      const all = Buffer.concat(this.#pieces);
      const end = all.indexOf("\r\n\r\n");
      if (end === -1) return;
      this.#wanted = end + 4 + Number(/content-length: (\d+)/i.exec(all.toString("latin1", 0, end))![1]);
    }
    if (this.#length < this.#wanted) return;
    const answer = Buffer.concat(this.#pieces);
    this.#pieces = [];
    [this.#wanted, this.#length] = [-1, 0];
    this.#answered(answer);
  }

  close(): void {
    this.#socket.destroy();
  }
}
