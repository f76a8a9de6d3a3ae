/** A self-contained page. It forbids itself all requests, and all scripts except the given one. */
import { createHash } from "node:crypto";
import { escapeHtml } from "./html.ts";
import { style } from "./style.ts";

export interface PageParts {
  readonly title: string;
  /** HTML below the title. */
  readonly head: string;
  /** HTML. */
  readonly main: string;
  /** Further CSS rules. */
  readonly style?: string;
  /** A script, which must not contain data. It runs after the page has been parsed. */
  readonly script?: string;
}

export function page({ title, head, main, style: more = "", script }: PageParts): string {
  const hash = script && createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'${script ? `; script-src 'sha256-${hash}'` : ""}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title)}</title>
<style>${style}${more}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
${head}
</header>
<main>
${main}
</main>
<footer>Made by codescore. ${script ? "" : "No script, "}${script ? "Nothing" : "nothing"} loaded from elsewhere.</footer>
${script ? `<script>${script}</script>\n` : ""}</body>
</html>
`;
}
