// The script of a report of round trips. Shows the items that the page holds as JSON (see items.ts), AT_A_TIME at once, and fills
// in an item when it is opened. Text from a model is always set as text, never as markup.
const { sims, texts, items } = JSON.parse(document.getElementById("run").textContent);
const form = document.forms[0];
const list = document.getElementById("items");
const more = document.getElementById("more");
const AT_A_TIME = 50;

/** An element with attributes and children (texts or elements). Null attributes and children are left out. */
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

const shown = (value) => (value === null ? "-" : value.toFixed(3).replace(/^-(?=0\.0*$)/, ""));

function code(title, lines) {
  const box = h("pre", { tabindex: "0", role: "group", "aria-label": title }, h("code", {}, lines));
  return h("figure", {}, h("figcaption", {}, title), box);
}

const linesOf = (text) =>
  text
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd()
    .split("\n");

/** @param classOf gives the class of a line, or null for none */
const spans = (lines, classOf) => lines.map((line) => h("span", { class: classOf(line) }, `${line}\n`));

const prose = (title, text) =>
  h("div", { class: "prose", tabindex: "0", role: "group", "aria-label": title }, text.trim() || "(nothing)");

function part({ title, text, above, below, prose: isProse }) {
  if (isProse) return h("div", {}, h("p", { class: "muted" }, title), prose(title, texts[text]));
  if (above === undefined && below === undefined)
    return code(
      title,
      spans(linesOf(texts[text]), () => null),
    );
  const part = (place, name) => (place === undefined ? [] : spans(texts[place].split("\n"), () => name));
  return code(title, [...part(above, "around"), ...part(text, "marked"), ...part(below, "around")]);
}

function values({ values: numbers, yes }) {
  const cells = numbers.map((value, i) => {
    const verdict = yes[i] === null ? null : h("span", { class: yes[i] ? "yes" : "no" }, yes[i] ? " yes" : " no");
    return h("div", {}, h("dt", {}, sims[i]), h("dd", {}, shown(value), verdict));
  });
  return h("dl", { class: "values" }, cells);
}

function candidate(one) {
  // Compare with the leading white space: in Python an indented line is a different line.
  const known = one.against === undefined ? null : new Set(linesOf(texts[one.against]).map((line) => line.trimEnd()));
  const mark = (line) => (known !== null && line.trim() !== "" && !known.has(line.trimEnd()) ? "own-left" : null);
  const text = texts[one.code];
  return h(
    "div",
    { class: "candidate" },
    text === "" ? h("p", { class: "flag" }, `${one.title}: no code`) : code(one.title, spans(linesOf(text), mark)),
    values(one),
    (one.notes ?? []).map((note) => h("p", { class: "muted" }, note)),
    one.answer === undefined ? null : fold("Full answer", () => prose("full answer", texts[one.answer])),
  );
}

function trip(one, found) {
  const { title, description, recited, cut } = one;
  const copied =
    recited &&
    `It recites its input: ${recited.run} tokens in a row, ${(100 * recited.share).toFixed(0)}% of the shorter text.`;
  return h(
    "section",
    { class: found ? "trip found" : "trip" },
    h("h3", {}, title),
    prose("description", texts[description]),
    copied ? h("p", { class: "flag" }, copied) : null,
    cut ? h("p", { class: "muted" }, "The model wrote more; the rest was cut off.") : null,
    one.candidates.map(candidate),
  );
}

/** A box that opens and closes. Its content is created when it is first opened. */
function fold(title, body, note = null) {
  const inside = h("div", { class: "inside" });
  const summary = h(
    "summary",
    {},
    h("span", { class: "name" }, title),
    note === null ? null : h("span", { class: "muted" }, note),
  );
  const box = h("details", { class: "pair" }, summary, inside);
  box.addEventListener("toggle", () => {
    if (box.open && inside.childElementCount === 0) inside.append(...[body()].flat());
  });
  return box;
}

function item({ id, parts, trips, means }, { isFound, isNarrowed }) {
  const note = [
    ...sims.map((name, i) => `${name} ${shown(means[i])}`),
    ...(trips.some(({ recited }) => recited) ? ["recited"] : []),
  ].join(" · ");
  return fold(id, () => [...parts.map(part), ...trips.map((one) => trip(one, isNarrowed && isFound(one)))], note);
}

/** A test whether a trip matches the chosen filter. */
function wanted(show) {
  const [what, number] = show.split(" ");
  const any = (test) => (one) => one.candidates.some(test);
  switch (what) {
    case "yes":
      return any(({ yes }) => yes[number] === true);
    case "no":
      return any(({ yes }) => yes[number] === false);
    case "none":
      // The first program of a chain is compared with nothing.
      return any(({ against, values: numbers }) => against !== undefined && numbers[number] === null);
    case "split":
      return any(({ yes }) => yes.includes(true) && yes.includes(false));
    case "recited":
      return ({ recited }) => recited !== undefined;
    case "empty":
      return any((one) => texts[one.code] === "");
    default:
      return () => true;
  }
}

/** Every text in lower case. Created at the first search. */
let lower = null;

/** A test whether an item contains the text. Each stored text is searched only once. */
function searched(text) {
  if (text === "") return () => true;
  lower ??= texts.map((one) => one.toLowerCase());
  const has = lower.map((one) => one.includes(text));
  const inPart = (one) => [one.text, one.above, one.below].some((place) => has[place]);
  const inTrip = (one) => has[one.description] || one.candidates.some((back) => has[back.code] || has[back.answer]);
  return ({ id, parts, trips }) => id.toLowerCase().includes(text) || parts.some(inPart) || trips.some(inTrip);
}

function sorted(chosen, sort) {
  const [what, number] = sort.split(" ");
  if (what === "run") return chosen;
  const sign = what === "low" ? 1 : -1;
  const key = (one) => (what === "spread" ? one.spread : one.means[number]);
  // Items without a value come last in both directions. Sorting is stable.
  return [...chosen].sort((a, b) => (key(a) === null) - (key(b) === null) || sign * (key(a) - key(b)));
}

let chosen = items;
let next = 0;
let narrowing = { isFound: () => true, isNarrowed: false };

function showMore() {
  const until = Math.min(next + AT_A_TIME, chosen.length);
  const added = chosen.slice(next, until).map((one) => item(one, narrowing));
  list.append(...added);
  next = until;
  more.hidden = next >= chosen.length;
  return added[0];
}

function update() {
  const { text, show, sort } = form.elements;
  const isFound = wanted(show.value);
  const has = searched(text.value.trim().toLowerCase());
  narrowing = { isFound, isNarrowed: show.value !== "all" };
  chosen = sorted(
    items.filter((one) => one.trips.some(isFound) && has(one)),
    sort.value,
  );
  list.replaceChildren();
  next = 0;
  showMore();
  const trips = chosen.reduce((sum, one) => sum + one.trips.filter(isFound).length, 0);
  const matches = trips === 1 ? "1 description that matches" : `${trips} descriptions that match`;
  const found = narrowing.isNarrowed ? `, with ${matches}` : "";
  const noun = items.length === 1 ? "item" : "items";
  document.getElementById("count").textContent = `${chosen.length} of ${items.length} ${noun}${found}`;
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", update);
more.addEventListener("click", () => showMore()?.querySelector("summary").focus());
update();
const first = list.querySelector("details");
if (first) first.open = true;
