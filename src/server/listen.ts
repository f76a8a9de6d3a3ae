/**
 * Listens on a socket, and stops without dropping accepted requests. Errors below the HTTP routes, such as headers that
 * cannot be read, have the same format as those of the routes (answers.ts).
 */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { CodescoreError, messageOf } from "../errors.ts";
import { problem } from "./answers.ts";

export interface ListenOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0 chooses a free port. @default 8080 */
  readonly port?: number;
  /** Milliseconds within which a request must arrive completely. @default REQUEST_MS */
  readonly requestMs?: number;
  /** Milliseconds that a closing server allows clients to send the rest of a request or to read an answer. @default 5000 */
  readonly graceMs?: number;
}

export interface Listening {
  readonly url: string;
  /**
   * Accepts no more connections, answers every request that has arrived, and resolves when the last one is answered. Returns the number
   * of failures: requests that did not arrive completely in time, and answers that nobody read.
   */
  close(): Promise<Unanswered>;
}

export interface Unanswered {
  readonly unfinished: number;
  readonly unread: number;
}

/**
 * A closing server continues as usual until nothing new has arrived for this many ms, at most `DRAINS` times. This takes connections
 * and requests from the system's queues, so that none of them is mistaken for an idle connection.
 */
const DRAIN_MS = 250;
const DRAINS = 8;

/** Milliseconds within which a request must arrive completely. */
export const REQUEST_MS = 60_000;

/** Maximum number of connections. Each uses memory even before it has sent a byte. Further ones are refused. */
export const MAX_CONNECTIONS = 10_000;

/** A request whose response is not yet complete. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes written to its connection at the last check. */
  written?: number;
}

/** Throws `CodescoreError("environment")` if the address is not available. */
export async function listen(
  app: Hono,
  { host = "127.0.0.1", port = 8080, requestMs = REQUEST_MS, graceMs = 5000 }: ListenOptions = {},
): Promise<Listening> {
  let closing = false;
  /** Number of connections and requests so far. */
  let came = 0;
  const answer = getRequestListener(
    async (request, env) => {
      const { incoming } = env as { incoming: IncomingMessage };
      if (incoming.headers.host === undefined && incoming.httpVersion === "1.1")
        throw new RequestError("no Host header");
      const response = await app.fetch(request, env);
      // A kept-alive connection would prevent a closing server from ending. Requests that follow in the pipeline are answered first.
      if (closing && open.get(incoming.socket)?.size === 1) response.headers.set("Connection", "close");
      return response;
    },
    {
      hostname: "localhost", // for HTTP 1.0 requests, which may have no Host
      errorHandler: (error) =>
        Response.json(problem("usage", `expected an HTTP request: ${messageOf(error)}`), { status: 400 }),
    },
  );
  const options = {
    requestTimeout: requestMs,
    headersTimeout: Math.min(requestMs, 20_000),
    connectionsCheckingInterval: Math.min(requestMs, 5000),
    requireHostHeader: false, // otherwise Node answers itself, without a body
  };
  /** For connections between requests: bytes read when the last answer was finished. */
  const readBytes = new WeakMap<Socket, number>();
  /**
   * Closes connections without an open request or incoming data. `closeIdleConnections` cannot be used: Node considers a connection
   * idle when the answer is complete, before it is sent. Call this right after reading what has arrived.
   */
  const closeIdle = (): void =>
    void setImmediate(() => {
      for (const [socket, { size }] of open) {
        const between = size === 0 && socket.bytesRead === (readBytes.get(socket) ?? 0);
        if (between && !socket.writableEnded) socket.destroySoon();
      }
    });
  const server = createServer(options, (request, response) => void answer(request, response));
  server.maxConnections = MAX_CONNECTIONS;
  const open = new Map<Socket, Set<Exchange>>();
  server.on("connection", (socket) => {
    came += 1;
    open.set(socket, new Set());
    socket.once("close", () => open.delete(socket));
  });
  server.prependListener("request", (request, response) => {
    came += 1;
    const exchange = { request, response };
    open.get(request.socket)?.add(exchange);
    response.once("close", () => {
      open.get(request.socket)?.delete(exchange);
      readBytes.set(request.socket, request.socket.bytesRead);
      if (closing) setImmediate(closeIdle);
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, open.get(socket)));
  await new Promise<void>((resolve, reject) => {
    server.listen(port, host, resolve);
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
      reject(new CodescoreError("environment", `cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
  });
  const { address, family, port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${chosen}`,
    close: async () => {
      const cut = { unfinished: 0, unread: 0 };
      for (let before = -1, times = 0; before !== came && times < DRAINS; times++) {
        before = came;
        await sleep(DRAIN_MS);
        for (let turn = 0; turn < 2; turn++) await nextTurn(); // lets the event loop read what arrived during the wait
      }
      closing = true;
      // A client that stops sending or reading must not delay the end. Only answers still being computed may take their time.
      const stuck = setInterval(() => {
        for (const [socket, exchanges] of open) {
          if ([...exchanges].filter(isOurs).some(goesOn)) continue;
          for (const { request } of exchanges) cut[request.complete ? "unread" : "unfinished"] += 1;
          socket.destroy();
        }
      }, graceMs);
      await new Promise((resolve) => {
        // Not http.Server's close, which ends idle connections before reading what they have sent.
        NetServer.prototype.close.call(server, resolve);
        closeIdle();
      });
      clearInterval(stuck);
      return cut;
    },
  };
}

/** Whether the server must act next: the request is complete, and its response is not. */
const isOurs = ({ request, response }: Exchange): boolean => request.complete && !response.writableEnded;

/** Whether the client still reads. A streamed response waits for its reader, possibly forever. */
function goesOn(exchange: Exchange): boolean {
  const { response } = exchange;
  const written = response.socket?.bytesWritten ?? 0;
  const stuck = response.writableNeedDrain && exchange.written === written;
  exchange.written = written;
  return !stuck;
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request was not complete in time"],
  HPE_HEADER_OVERFLOW: [431, "the headers are too long"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the chunk extensions are too long"],
};

/** Answers a connection that is not HTTP or too slow, after the complete requests before it on the same connection. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, exchanges: ReadonlySet<Exchange> = new Set()): void {
  const before = [...exchanges].filter(isOurs);
  if (before.length > 0 && socket.writable) {
    before.at(-1)!.response.once("close", () => setImmediate(refuse, error, socket, exchanges));
    return;
  }
  const begun = [...exchanges].some(({ response }) => response.headersSent);
  if (error.code === "ECONNRESET" || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ""] ?? [400, `expected an HTTP request: ${error.message}`];
  const body = JSON.stringify(problem("usage", message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroySoon());
}
