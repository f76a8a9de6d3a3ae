/** A drawing as a separate file, with the colours that the page would give it. */
import { DASHES } from "./draw.ts";
import { type Drawing, escapeHtml } from "./html.ts";
import { style } from "./style.ts";

/** The rules of the page's style sheet that a drawing needs. */
const RULES = /:root \{[^}]*\}|@media [^{]*\(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}\s*\}/g;
const LINE = 18; // pixels per legend entry

/** The SVG file, with the legend below the drawing. */
export function svgFile({ svg, label, legend }: Drawing): string {
  const opening = svg.slice(0, svg.indexOf(">"));
  const [width = "440", height = "300"] = ["width", "height"].map(
    (name) => new RegExp(` ${name}="(\\d+)"`).exec(opening)?.[1],
  );
  const entries = legend.map(
    ({ name, color, dash = 0 }, i) =>
      `<g transform="translate(8 ${Number(height) + LINE * (i + 0.5)})"><line x2="25" stroke="${color}" stroke-width="4" stroke-dasharray="${DASHES[dash]}"/><text x="31" dy="0.35em">${escapeHtml(name)}</text></g>`,
  );
  const all = Number(height) + LINE * (legend.length > 0 ? legend.length + 0.5 : 0);
  const css = `${(style.match(RULES) ?? []).join("\n")}\nsvg { color: var(--ink); background: var(--page); font: 12.5px system-ui, sans-serif; }`;
  const inner = svg.replace(/^<svg /, svg.includes("xmlns=") ? "<svg " : '<svg xmlns="http://www.w3.org/2000/svg" ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 0 ${width} ${all}" role="img">
<title>${escapeHtml(label)}</title>
<style>${css}</style>
${inner}
${entries.join("\n")}
</svg>
`;
}
