/**
 * Makes datasets/wordnet/synonyms.txt.gz, the data of METEOR's synonym stage, from a WordNet 3.0 folder (the files
 * `data.*` and `*.exc`; in Debian the package `wordnet-base`, in nltk the corpus `wordnet`):
 *
 *   node scripts/wordnet.mjs /usr/share/wordnet
 *
 * Distinct lines: `n dog domestic_dog Canis_familiaris`, the lemmas of a synset in which at least one lemma can be a
 * token of a program (lower case, no underscore). Then, after an empty line, irregular forms: `n geese goose`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const POS = { n: "noun", v: "verb", a: "adj", r: "adv" };
const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: node scripts/wordnet.mjs FOLDER");
const lines = (name) =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "");

const synsets = Object.entries(POS).flatMap(([pos, name]) =>
  lines(`data.${name}`)
    .filter((line) => !line.startsWith(" "))
    .flatMap((line) => {
      const fields = line.split(" ");
      const lemmas = Array.from(
        { length: Number.parseInt(fields[3], 16) },
        (_, i) => fields[4 + 2 * i].replace(/\([a-z]+\)$/, ""), // adjectives are marked with their position: `galore(ip)`
      );
      return lemmas.some((lemma) => !lemma.includes("_") && lemma === lemma.toLowerCase()) ? [[pos, ...lemmas]] : [];
    }),
);
const irregular = new Map(
  // if a form occurs twice, the last counts, as in nltk
  Object.entries(POS).flatMap(([pos, name]) =>
    lines(`${name}.exc`).map((line) => {
      const [form, ...lemmas] = line.trim().split(/\s+/);
      return [`${pos} ${form}`, lemmas.join(" ")];
    }),
  ),
);
const sorted = (rows) => [...new Set(rows.map((row) => row.join(" ")))].sort();
const text = [...sorted(synsets), "", ...sorted([...irregular]), ""].join("\n");
const target = fileURLToPath(new URL("../datasets/wordnet/synonyms.txt.gz", import.meta.url));
writeFileSync(target, gzipSync(text, { level: 9 }));
