/** The page at `/`: a single file without external resources, and the hashes that allow its script and style. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { packageRoot } from "../util/files.ts";

export interface Page {
  /** The page for one response. @param nonce allows the style sheets of the editor */
  readonly html: (nonce: string) => string;
  /** SHA-256 in base64, in the format of Content-Security-Policy. */
  readonly scriptHash: string;
  readonly styleHash: string;
}

export interface PageOptions {
  /** Whether this server runs candidates. If not, the page does not offer it. */
  readonly runs: boolean;
  /** Whether this server requires a key. If so, the page asks for it at the start. */
  readonly guarded: boolean;
  /** Share of the intervals that contain the PassRatio. @default 0.9 */
  readonly coverage?: number | undefined;
}

/** Shows the parts of the page that only some servers need. */
const shown = (page: string, mark: "data-runs" | "data-key"): string => page.replaceAll(`${mark} hidden`, mark);

/** Throws `CodescoreError("infra")` if the page was not built. */
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

/** Splits the page into the text before, in and after the script, so that replacements leave the script unchanged. */
function apart(text: string): [string, string, string] {
  const [from, to] = [text.indexOf("<script>") + "<script>".length, text.lastIndexOf("</script>")];
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
