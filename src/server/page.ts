/** The page at `/`: one file without anything from elsewhere, and the hashes that allow its script and style to run. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../util/files.ts";

export interface Page {
  readonly html: string;
  /** SHA-256 in base64, as Content-Security-Policy wants it. */
  readonly scriptHash: string;
  readonly styleHash: string;
}

/** Stands in the parts of the page that are for servers which run candidates. */
const HIDDEN = "data-runs hidden";

/** @param runs whether this server runs candidates: only then is that offered */
export async function readPage({ runs }: { readonly runs: boolean }): Promise<Page> {
  const text = await readFile(join(packageRoot, "src", "server", "page.html"), "utf8");
  const html = runs ? text.replaceAll(HIDDEN, "data-runs") : text;
  const hashOf = (tag: string): string => {
    const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? "";
    return createHash("sha256").update(content).digest("base64");
  };
  return { html, scriptHash: hashOf("script"), styleHash: hashOf("style") };
}
