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

export async function readPage(): Promise<Page> {
  const html = await readFile(join(packageRoot, "src", "server", "page.html"), "utf8");
  const hashOf = (tag: string): string => {
    const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? "";
    return createHash("sha256").update(content).digest("base64");
  };
  return { html, scriptHash: hashOf("script"), styleHash: hashOf("style") };
}
