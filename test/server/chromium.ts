/** Headless Chromium, controlled over a pipe (Chrome DevTools Protocol). Needs nothing except the browser. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of the browser; undefined on a machine without one. */
export const chromium: string | undefined = places.find((path) => path !== undefined && existsSync(path));

export interface Tab {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Evaluates an expression in the page, and awaits its value. */
  evaluate(expression: string): Promise<unknown>;
  /** Console messages, including refusals by the content security policy. */
  readonly console: string[];
  close(): Promise<void>;
}

export async function openTab(path: string, url: string): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), "chromium-"));
  const flags = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
  ];
  const browser: ChildProcess = spawn(path, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const [to, from] = [browser.stdio[3] as Writable, browser.stdio[4] as Readable];
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  const console: string[] = [];
  let loaded = (): void => {};
  let rest = "";
  from.setEncoding("utf8").on("data", (chunk: string) => {
    const messages = (rest + chunk).split("\0");
    rest = messages.pop() ?? "";
    for (const text of messages) {
      const message = JSON.parse(text) as { id?: number; method?: string; params?: unknown };
      if (message.id !== undefined) waiting.get(message.id)?.(message as Record<string, unknown>);
      if (message.method === "Page.loadEventFired") loaded();
      if (/^(Log.entryAdded|Runtime.exceptionThrown|Runtime.consoleAPICalled)$/.test(message.method ?? "")) {
        console.push(JSON.stringify(message.params));
      }
    }
  });
  let id = 0;
  const call = (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const number = ++id;
      waiting.set(number, (message) => {
        waiting.delete(number);
        if (message.error) reject(new Error(`${method}: ${JSON.stringify(message.error)}`));
        else resolve(message.result as Record<string, unknown>);
      });
      to.write(`${JSON.stringify({ id: number, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  const send = (method: string, params: object = {}) => call(method, params, sessionId as string);
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  const load = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  await send("Page.navigate", { url });
  await load;
  return {
    send,
    console,
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value?: unknown }).value;
    },
    close: async () => {
      const gone = new Promise((resolve) => browser.on("exit", resolve));
      await call("Browser.close", {}).catch(() => browser.kill("SIGKILL"));
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
