/** Puts an app on a socket, and takes it off again without dropping what it accepted. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { CodescoreError } from "../errors.ts";

export interface Listening {
  readonly url: string;
  /** Takes no further connection, answers every request that has begun, and resolves when the last one is answered. */
  close(): Promise<void>;
}

/** Throws `CodescoreError("environment")` when the address cannot be had. */
export async function listen(
  app: Hono,
  { host = "127.0.0.1", port = 8080 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  let closing = false;
  const server = serve({
    fetch: async (request, env) => {
      const response = await app.fetch(request, env);
      // Kept-alive connections would hold a closing server open.
      if (closing) response.headers.set("Connection", "close");
      return response;
    },
    hostname: host,
    port,
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "the port is taken; choose another with --port" : error.message;
      reject(new CodescoreError("environment", `cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
  });
  const { address, family, port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        closing = true;
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
