/**
 * Draws the README's picture, docs/images/score.svg: the output of the commands below, as in a terminal.
 *
 * usage: npm run build && node scripts/picture.mjs
 */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const PICTURE = join(root, "docs/images/score.svg");
const COMMANDS = ["", "--run "].map(
  (run) => `codescore score ${run}--reference examples/order/reference.py examples/order/candidates/`,
);
const [WIDTH, LINE, MARGIN] = [8.43, 20, 16]; // in pixels: width of a character at 14 px, height of a line, margin

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const shade = (line) => {
  if (line.startsWith("$")) return "#8b949e";
  if (/ behaves right/.test(line)) return "#3fb950";
  if (/ fails/.test(line)) return "#f85149";
  return "#e6edf3";
};

const lines = [];
for (const command of COMMANDS) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "dist/cli/main.js"), ...command.split(" ").slice(1)],
    { cwd: root },
  );
  lines.push(`$ ${command}`, ...stdout.trimEnd().split("\n"), "");
}
lines.pop();

const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * WIDTH) + 2 * MARGIN;
const height = lines.length * LINE + 2 * MARGIN;
const texts = lines.map(
  (line, i) =>
    `<text x="${MARGIN}" y="${MARGIN + 15 + i * LINE}" fill="${shade(line)}" xml:space="preserve">${escaped(line)}</text>`,
);
await mkdir(dirname(PICTURE), { recursive: true });
await writeFile(
  PICTURE,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" \
font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>What codescore score prints without and with --run</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join("\n")}
</svg>
`,
);
process.stdout.write(`wrote ${PICTURE}\n`);
