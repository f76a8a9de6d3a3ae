/**
 * Builds the documentation site into site/dist: the pages of docs/, a reference of the commands generated from the commands, and a
 * reference of the library generated from its types. Needs `npm ci` and `npm run build` in the repository, and `npm ci` here. Offline otherwise.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandsMarkdown } from "./commands.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const content = join(here, "content");
const bin = (name) => join(here, "node_modules", ".bin", name);

rmSync(content, { recursive: true, force: true });
mkdirSync(join(content, "reference"), { recursive: true });

/** Pages from outside docs/, by their name on the site. */
const PAGES = { "overview.md": "README.md", "changelog.md": "CHANGELOG.md", "experiments.md": "models/LOG.md" };
const linked = new Map(Object.entries(PAGES).map(([page, path]) => [`../${path}`, page]));

/** Rewrites links. A repository file without a page becomes code text, together with the link's label. */
const withLinks = (text) =>
  text.replace(/\[([^\]\n]+)\]\((\.\.\/[^)\s#]+)(#[^)\s]+)?\)/g, (_, label, path, anchor = "") =>
    linked.has(path)
      ? `[${label}](${linked.get(path)}${anchor})`
      : label.startsWith("`")
        ? label
        : `\`${path.slice(3)}\` (${label})`,
  );

for (const name of readdirSync(join(root, "docs"))) {
  if (!name.endsWith(".md")) cpSync(join(root, "docs", name), join(content, name), { recursive: true });
  else writeFileSync(join(content, name), withLinks(readFileSync(join(root, "docs", name), "utf8")));
}
for (const [page, path] of Object.entries(PAGES)) {
  let text = readFileSync(join(root, path), "utf8").replaceAll("](docs/", "](").replaceAll("](../docs/", "](");
  for (const [other, from] of Object.entries(PAGES)) text = text.replaceAll(`](${from})`, `](${other})`);
  writeFileSync(join(content, page), withLinks(text));
}
writeFileSync(join(content, "index.md"), readFileSync(join(here, "index.md"), "utf8"));
writeFileSync(join(content, "reference", "commands.md"), await commandsMarkdown());

const run = (name, args) => execFileSync(bin(name), args, { cwd: here, stdio: "inherit" });
run("typedoc", ["--options", join(here, "typedoc.json")]);
run("vitepress", ["build", here]);
