/** HTTP as raw bytes on a socket, for requests that no client library would send. */
import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A request with its Content-Length. `headers` replace those with the same name; `null` removes one. */
export function request(
  path: string,
  body: string | Uint8Array = "",
  { method = "POST", headers = {} }: { method?: string; headers?: Record<string, string | null> } = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const all: Record<string, string | null> = {
    Host: "localhost",
    "Content-Type": "application/json",
    "Content-Length": String(bytes.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return Buffer.concat([Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`), bytes]);
}

/** A body in chunks of equal size. */
export function chunked(body: string, size = body.length): string {
  const pieces: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.slice(at, at + size);
    pieces.push(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  }
  return `${pieces.join("")}0\r\n\r\n`;
}

/** A connection that reads responses one after another. */
export class Connection {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #ended = false;
  #wake = (): void => {};

  constructor(url: string) {
    const { port } = new URL(url);
    this.socket = connect(Number(port), "127.0.0.1");
    this.socket.on("data", (piece) => {
      this.#bytes = Buffer.concat([this.#bytes, piece]);
      this.#wake();
    });
    this.socket.on("error", () => {}); // a server that has answered may reset the connection while data is still sent
    this.socket.on("close", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** The next response; null if the connection ends first. */
  async answer(): Promise<Answer | null> {
    for (;;) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end !== -1) {
        const [first, ...lines] = this.#bytes.subarray(0, end).toString().split("\r\n");
        const status = Number(first!.split(" ")[1]);
        if (status === 100) {
          this.#bytes = this.#bytes.subarray(end + 4);
          continue;
        }
        const headers = new Map(
          lines.map((line) => [line.split(":")[0]!.toLowerCase(), line.replace(/^[^:]*: */, "")]),
        );
        const length = Number(headers.get("content-length") ?? 0);
        if (this.#bytes.length >= end + 4 + length) {
          const body = this.#bytes.subarray(end + 4, end + 4 + length).toString();
          this.#bytes = this.#bytes.subarray(end + 4 + length);
          return { status, headers, body };
        }
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Sends bytes on a new connection and reads one response. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<Answer | null> {
  const connection = new Connection(url);
  connection.socket.write(bytes);
  const answer = await connection.answer();
  connection.close();
  return answer;
}
