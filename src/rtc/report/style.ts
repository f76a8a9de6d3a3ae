/** Styles that a report of round trips adds to the style sheet of all reports. */
export const style = `
:root { --mark: #fff0b3; --yes: #116b45; --no: #a8331f; }
@media screen and (prefers-color-scheme: dark) { :root { --mark: #4a4115; --yes: #6fd6a5; --no: #ff9d8a; } }
form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; margin: 1rem 0 .4rem; }
form label { display: grid; gap: .15rem; font-size: .8rem; color: var(--muted); min-width: 0; flex: 1 1 12rem; }
input, select, button { font: inherit; font-size: .95rem; padding: .45rem .6rem; border: 1px solid var(--muted); border-radius: 7px; background: var(--card); color: var(--ink); min-width: 0; max-width: 100%; }
button { cursor: pointer; padding: .5rem 1rem; }
[hidden] { display: none; }
pre .around { color: var(--muted); }
pre .marked { background: var(--mark); }
.trip { border-top: 1px solid var(--line); padding-top: .7rem; display: grid; gap: .6rem; grid-template-columns: minmax(0, 1fr); }
.trip h3, .trip p { margin: 0; }
.trip.found { border-top: 3px solid var(--accent); }
.flag { color: var(--no); font-weight: 600; font-size: .86rem; }
.candidate { display: grid; gap: .4rem .9rem; grid-template-columns: minmax(0, 1fr); }
.candidate + .candidate { border-top: 1px dotted var(--line); padding-top: .6rem; }
.values { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 0; font-size: .86rem; }
.values div { display: flex; gap: .4em; }
.values dt { color: var(--muted); overflow-wrap: anywhere; }
.values dd { margin: 0; font-variant-numeric: tabular-nums; }
.yes { color: var(--yes); font-weight: 600; }
.no { color: var(--no); font-weight: 600; }
@media print { form, #more { display: none; } }
`;
