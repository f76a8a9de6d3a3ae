// The script of a rating form. It stores ratings in this browser, counts them, and returns them as CSV. It contains no data: it
// finds the scores to rate as fieldsets with data-item and data-letter (see form.ts).
const form = document.forms[0];
const scores = [...document.querySelectorAll("fieldset[data-item]")];
const rater = document.getElementById("rater");
const message = document.getElementById("message");
const sheet = form.dataset.sheet;
const place = `codescore-rating-${sheet}`;

const chosen = (score) => score.querySelector("input:checked")?.value ?? "";
const nameOf = (score) => score.dataset.item + score.dataset.letter;

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? "{}");
    rater.value = kept.rater ?? "";
    for (const score of scores) {
      const rating = kept.ratings?.[nameOf(score)];
      for (const input of score.querySelectorAll("input")) input.checked = input.value === rating;
    }
  } catch {
    message.textContent = "This browser keeps nothing: download your ratings before you leave.";
  }
}

function store() {
  const ratings = Object.fromEntries(
    scores.map((score) => [nameOf(score), chosen(score)]).filter(([, value]) => value),
  );
  try {
    localStorage.setItem(place, JSON.stringify({ rater: rater.value, ratings }));
  } catch {
    message.textContent = "This browser keeps nothing: download your ratings before you leave.";
  }
}

function count() {
  const rated = scores.filter(chosen).length;
  document.getElementById("progress").value = rated;
  document.getElementById("count").textContent = `${rated} of ${scores.length} rated`;
  for (const score of scores) score.classList.toggle("rated", chosen(score) !== "");
}

function showNext() {
  const next = scores.find((score) => !chosen(score));
  if (next === undefined) {
    message.textContent = "All scores are rated: download your ratings.";
    return;
  }
  next.scrollIntoView({ block: "center" });
  next.querySelector("input").focus({ preventScroll: true });
}

function download() {
  const name = rater.value.trim();
  if (name === "") {
    message.textContent = "Give a name or a pseudonym first.";
    rater.focus();
    return;
  }
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  const lines = scores.map((score) => [sheet, cell(name), score.dataset.item, score.dataset.letter, chosen(score)]);
  const csv = [["sheet", "rater", "item", "letter", "rating"], ...lines].map((line) => `${line.join(",")}\n`).join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  link.download = `ratings-${sheet}-${name.replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
  message.textContent = `Saved as ${link.download}.`;
}

function startOver() {
  if (!confirm("Forget the name and all ratings on this page?")) return;
  form.reset();
  store();
  count();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  message.textContent = "";
  store();
  count();
});
document.getElementById("next").addEventListener("click", showNext);
document.getElementById("download").addEventListener("click", download);
document.getElementById("start-over").addEventListener("click", startOver);
restore();
count();
