/** The style sheet of a report: light or dark as the reader's system requests, one column on a phone, plain in print. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2430; --muted: #5d6878; --line: #dfe3e9; --accent: #1a63d8;
  --left: #ffe9d6; --right: #dcf3e4; --fails: #b42318; --shade: rgb(28 36 48 / .38);
  --series-1: #1f6feb; --series-2: #d9730d; --series-3: #148f6b; --series-4: #9a4fd0; --series-5: #c23b6d; --series-6: #77808d;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #10141a; --card: #181e27; --ink: #e4e9f0; --muted: #98a3b3; --line: #2c3543; --accent: #6ea8ff;
    --left: #4a3016; --right: #173d2b; --fails: #f5948b; --shade: rgb(228 233 240 / .38);
    --series-1: #6ea8ff; --series-2: #f0a35e; --series-3: #4fcfa3; --series-4: #c79bf2; --series-5: #f08bb0; --series-6: #9aa5b4;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem clamp(.9rem, 3vw, 2.5rem) 4rem; max-width: 78rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%;
}
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: .5rem 0 .25rem; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.75rem 0 .75rem; letter-spacing: -.01em; }
h3 { font-size: .95rem; margin: 0 0 .4rem; }
.scroll + h3 { margin-top: 1.4rem; }
h2, h3, li { overflow-wrap: anywhere; }
p { margin: .4rem 0; max-width: 48rem; overflow-wrap: anywhere; }
b { font-weight: 650; color: var(--accent); }
b.fails { color: var(--fails); } b.behaves-right { color: var(--series-3); } b.looks-right, b.unknown { color: var(--ink); }
.verdict { font-size: 1.1rem; max-width: 56rem; margin: .75rem 0; }
.muted, figcaption, footer { color: var(--muted); }
.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0; padding: 0; }
.key div, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.key div { padding: .7rem .9rem; }
.key dt { font-size: .8rem; color: var(--muted); }
.key dd { margin: 0; font-size: 1.45rem; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.key small { display: block; font-size: .75rem; font-weight: 400; letter-spacing: 0; color: var(--muted); }
.scroll {
  overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; margin: .75rem 0;
  /* A shadow at the right end while columns are out of view there: at the table's end, the first layer covers the second. */
  background: linear-gradient(to left, var(--card) 40%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) right / 1.2rem 100% no-repeat scroll, var(--card);
}
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .7rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { font-weight: 600; color: var(--muted); font-size: .78rem; line-height: 1.3; white-space: normal; vertical-align: bottom; min-width: 5rem; }
tr > :first-child { position: sticky; left: 0; background: var(--card); box-shadow: inset -1px 0 var(--line); max-width: 14rem; white-space: normal; overflow-wrap: anywhere; }
tbody th { font-weight: 600; min-width: 7rem; }
.n { text-align: right; }
.many small { display: block; }
.most :is(th, td) { padding-inline: .4rem; }
.most thead th { min-width: 3.6rem; font-size: .72rem; }
.most tr > :first-child { padding-left: .7rem; }
.most tr > :last-child { padding-right: .7rem; }
.quiet > * { color: var(--muted); font-weight: 400; font-style: italic; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21.5rem), 1fr)); gap: 1rem; }
.card { margin: 0; padding: .9rem 1rem; min-width: 0; }
.card svg { width: 100%; height: auto; overflow: visible; }
.card figcaption { font-size: .82rem; line-height: 1.4; margin-top: .4rem; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem .9rem; margin: 0 0 .3rem; padding: 0; list-style: none; font-size: .8rem; color: var(--muted); }
.legend i { display: inline-block; width: 1.5em; border-top: 4px solid; margin-right: .4em; vertical-align: .22em; }
.legend .dash-1 { border-top-style: dashed; } .legend .dash-2 { border-top-style: dotted; }
.pair { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .6rem 0; }
.pair summary { cursor: pointer; padding: .6rem .9rem; }
.pair .name { font-weight: 600; margin-right: .6rem; unicode-bidi: isolate; overflow-wrap: anywhere; }
.pair .muted { font-size: .86rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .9rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: .8rem; margin-bottom: .25rem; }
pre { margin: 0; padding: .6rem 0; overflow: auto; max-height: 28rem; border: 1px solid var(--line); border-radius: 7px; background: var(--page); font: .78rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 4; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { display: block; font: inherit; }
pre span { display: block; padding: 0 .8rem 0 calc(.8rem + var(--hang)); text-indent: calc(-1 * var(--hang)); min-height: 1.5em; --hang: 6ch; }
pre span:has(> i) { --hang: 12ch; } pre span:has(> .effect) { --hang: 20ch; }
.own-left { background: var(--left); }
.own-right { background: var(--right); }
.sides.wide pre { max-height: none; }
.pair .inside { padding: 0 .9rem .9rem; display: grid; gap: .7rem; min-width: 0; grid-template-columns: minmax(0, 1fr); }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .9rem; max-height: 20rem; overflow: auto; }
.inside .pair, .inside .scroll { margin: 0; }
td small { color: var(--muted); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre i { color: var(--muted); font-style: normal; user-select: none; }
.cost-1 { background: rgb(224 62 62 / .1); } .cost-2 { background: rgb(224 62 62 / .2); }
.cost-3 { background: rgb(224 62 62 / .32); } .cost-4 { background: rgb(224 62 62 / .46); }
.gain-1 { background: rgb(30 160 90 / .1); } .gain-2 { background: rgb(30 160 90 / .2); }
.gain-3 { background: rgb(30 160 90 / .32); } .gain-4 { background: rgb(30 160 90 / .46); }
[class^="cost-"], [class^="gain-"], .differs { color: var(--ink); }
[class^="cost-"] > i, [class^="gain-"] > i, .differs > i { color: inherit; }
.differs { background: rgb(230 160 20 / .22); box-shadow: inset 3px 0 rgb(200 130 0); }
.notes dt { font-weight: 600; margin-top: .5rem; }
.notes dd { margin: 0; color: var(--muted); max-width: 48rem; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92em; }
code.signature { font: .78rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; color: var(--muted); }
footer { margin-top: 3rem; font-size: .82rem; }
@media (max-width: 32rem) {
  pre span:has(> i), pre span:has(> .effect) { --hang: 8ch; }
  tr > :first-child { max-width: 8.5rem; }
  th, td { padding: .45rem .5rem; }
  td small { display: block; }
}
@media print {
  html { font-size: 13px; }
  body { background: none; padding: 0; font-size: 1rem; max-width: none; }
  p, .verdict, .notes dd { max-width: none; orphans: 3; widows: 3; }
  h2 { margin-top: 1.6rem; }
  h1, h2, h3, h2 + p, h3 + p, h3 + div, summary, figcaption, .sides > figure > :first-child, .notes dt { break-after: avoid; }
  /* A table of a few rows moves to the next page as a whole; a longer one breaks between its rows. */
  .key div, tr, h2 + p, h3 + p, .notes dd, .scroll:not(:has(tbody tr:nth-child(13))) { break-inside: avoid; }
  .key { grid-template-columns: repeat(3, 1fr); }
  thead { display: table-header-group; }
  .scroll { overflow: visible; background: none; }
  table { font-size: .74rem; }
  tr > :first-child { position: static; background: none; box-shadow: none; min-width: 4.5rem; overflow-wrap: break-word; }
  thead th, .most thead th { font-size: .7rem; min-width: 0; }
  th, td, .most :is(th, td) { padding: .25rem .35rem; }
  td small { display: block; }
  /* Blocks in lines: browsers may break a page inside the rows of a grid. */
  .plots { display: block; orphans: 1; widows: 1; }
  .card { display: inline-block; vertical-align: top; width: calc(50% - .5rem); margin-bottom: .5rem; padding: .6rem .8rem; }
  .card svg { max-height: 15.5rem; }
  .sides:not(.wide) { grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
  pre, .prose { max-height: none; overflow: visible; }
  .own-left, .own-right, .differs, [class^="cost-"], [class^="gain-"], .legend i { print-color-adjust: exact; }
}
`;
