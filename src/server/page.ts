/** The page at `/`: one file without anything from elsewhere, and the hashes that allow its script and style to run. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { packageRoot } from "../util/files.ts";

export interface Page {
  /** The page for one answer. @param nonce lets the editor's own style sheets in */
  readonly html: (nonce: string) => string;
  /** SHA-256 in base64, as Content-Security-Policy wants it. */
  readonly scriptHash: string;
  readonly styleHash: string;
}

export interface PageOptions {
  /** Whether this server runs candidates: only then is that offered. */
  readonly runs: boolean;
  /** Whether this server wants a key: the page then asks for it at once. */
  readonly guarded: boolean;
  /** Share of the intervals that hold the PassRatio. @default 0.9 */
  readonly coverage?: number | undefined;
}

/** Show the parts of the page that are for some servers only. */
const shown = (page: string, mark: "data-runs" | "data-key"): string => page.replaceAll(`${mark} hidden`, mark);

/** Throws `CodescoreError("infra")` where the page was not built. */
export async function readPage({ runs, guarded, coverage = 0.9 }: PageOptions): Promise<Page> {
  const path = join(packageRoot, "dist", "page", "index.html");
  const text = await readFile(path, "utf8").catch(() => {
    throw new CodescoreError("infra", `expected the page of the server at ${path}; \`npm run build\` makes it`);
  });
  const [head, script, rest] = apart(text);
  const forRuns = runs ? shown(head, "data-runs") : head;
  const forKey = guarded ? shown(forRuns, "data-key") : forRuns;
  const filled = forKey.replace('data-coverage="0.9"', `data-coverage="${coverage}"`);
  const style = /<style>([\s\S]*?)<\/style>/.exec(head)?.[1] ?? "";
  const hashOf = (content: string): string => createHash("sha256").update(content).digest("base64");
  return {
    html: (nonce) => filled.replace("<style>", `<style nonce="${nonce}">`) + script + rest,
    scriptHash: hashOf(script),
    styleHash: hashOf(style),
  };
}

/** What is before, in and behind the script: nothing in the script is replaced. */
function apart(text: string): [string, string, string] {
  const [from, to] = [text.indexOf("<script>") + "<script>".length, text.lastIndexOf("</script>")];
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
