"""Records the results of reference packages for pairs of programs: test/fixtures/metrics/text.json.

    python scripts/record/text_metrics.py test/fixtures/metrics/bleu_chrf.json WORDNET test/fixtures/metrics/text.json

Needs sacrebleu, nltk, rapidfuzz, torchmetrics (with torch), and a folder with WordNet 3.0 in the form of nltk's corpus `wordnet`
(index.*, data.*, *.exc, index.sense, cntlist.rev, lexnames).

The pairs are those of bleu_chrf.json (HumanEval programs, for testing only), some in other languages, and some hostile ones.
Two packages were not available. Google's `rouge-score` is replaced by torchmetrics, which states that it follows it. The authors'
`crystalbleu` is nltk's sentence_bleu without the n-grams to ignore, so nltk's runs here with its n-grams filtered.
"""

import json
import re
import sys
import warnings
from collections import Counter

import nltk
import rapidfuzz
import sacrebleu
import torch
import torchmetrics
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.stem.porter import PorterStemmer
from nltk.translate import bleu_score
from nltk.translate.meteor_score import single_meteor_score
from nltk.util import ngrams
from sacrebleu.metrics import BLEU, CHRF
from torchmetrics.functional.text import rouge_score

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)

LANGUAGES = {
    "javascript": (
        "function sum(xs) {\n  let total = 0;\n  for (const x of xs) total += x;\n  return total; // naïve\n}\n",
        "const sum = (xs) => xs.reduce((a, b) => a + b, 0);\nconst re = /[a-z]+\\/\\d{2,}/gi;\nconst s = `total: ${sum([1, 2])}`;\n",
    ),
    "typescript": (
        "export function first<T extends object>(xs: readonly T[]): T | undefined {\n  return xs?.[0] ?? undefined;\n}\n",
        "export const first = <T extends object>(xs: ReadonlyArray<T>): T | undefined =>\n  xs.length > 0 ? xs[0]! : undefined;\n",
    ),
    "java": (
        "public class Main {\n    public static int max(int[] xs) {\n        int m = Integer.MIN_VALUE;\n        for (int x : xs) m = Math.max(m, x);\n        return m;\n    }\n}\n",
        "import java.util.*;\n\nclass Main {\n    /* the largest */\n    static int max(int... xs) {\n        return Arrays.stream(xs).max().orElseThrow(() -> new NoSuchElementException(\"empty\"));\n    }\n}\n",
    ),
    "cpp": (
        "#include <vector>\nint count(const std::vector<int>& v, int k) {\n  int n = 0;\n  for (auto it = v.begin(); it != v.end(); ++it) if (*it == k) n++;\n  return n;\n}\n",
        "#include <algorithm>\n#include <vector>\ntemplate <class T>\nstd::ptrdiff_t count(std::vector<T> const &v, T k) { return std::count(v.cbegin(), v.cend(), k); }\n",
    ),
    "go": (
        "func reverse(s string) string {\n\tr := []rune(s)\n\tfor i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {\n\t\tr[i], r[j] = r[j], r[i]\n\t}\n\treturn string(r)\n}\n",
        "package main\n\nimport \"strings\"\n\nfunc reverse(s string) (out string) {\n\tvar b strings.Builder\n\tfor i := len(s) - 1; i >= 0; i-- {\n\t\tb.WriteByte(s[i])\n\t}\n\treturn b.String()\n}\n",
    ),
}
EXTRA = [
    *LANGUAGES.values(),
    ("", ""),
    ("", "return 1"),
    ("return 1", ""),
    (" \t\r\n\n  ", "x = 1"),
    ("x = 1", " \u00a0\u3000\n"),
    ("x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
    ("s = '\ud800 lone'", "s = '\udfff lone'"),
    ("print('\U0001d6fc\U0001d6fd')", "print('\U0001d6fc\U0001d6fe')"),
    ("İstanbul K ΣΑΣ straße", "istanbul k σας STRASSE"),
    # METEOR's stages: stems, synonyms, irregular forms, and an alignment that takes the last of several matches.
    ("automobiles running children purchased", "car run child buy"),
    ("geese ran quickly to the automobile", "goose run fast toward cars"),
    ("a b a b a b", "b a b a"),
    ("the dying skies were happily controlling the analogies", "die sky be happy control analogy"),
    ("hot_dog = frankfurter", "wiener = hot_dog"),
    ("def add_numbers(first, second):\n    return first + second", "def sum(a, b):\n    result = a + b\n    return result"),
]


def code_tokens(text):
    return re.findall(r"\w+|[^\w\s]", text)


def crystal_list(texts, k=500):
    counts = Counter()
    for text in dict.fromkeys(texts):
        tokens = code_tokens(text)
        for n in range(1, 5):
            counts.update(ngrams(tokens, n))
    return counts.most_common(k)


def crystal(candidate, reference, trivial):
    plain = bleu_score.ngrams
    bleu_score.ngrams = lambda sequence, n: [gram for gram in plain(sequence, n) if gram not in trivial]
    try:
        smoothing = bleu_score.SmoothingFunction(epsilon=0.0001).method1
        return float(bleu_score.sentence_bleu([code_tokens(reference)], code_tokens(candidate), smoothing_function=smoothing))
    finally:
        bleu_score.ngrams = plain


def main(pairs_path, wordnet_path, out_path):
    recorded = [(case["candidate"], case["reference"]) for case in json.load(open(pairs_path))["cases"]]
    wordnet = WordNetCorpusReader(wordnet_path, None)
    trivial = crystal_list(text for pair in recorded for text in pair)
    ignored = dict(trivial)
    bleu, bleu_code = BLEU(effective_order=True), BLEU(effective_order=True, tokenize="none")
    spaced = lambda text: " ".join(code_tokens(text))

    def values(candidate, reference):
        rouge = rouge_score(candidate, reference, rouge_keys="rougeL")
        return {
            "rouge_l": rouge["rougeL_fmeasure"].item(),
            "meteor": single_meteor_score(code_tokens(reference), code_tokens(candidate), wordnet=wordnet),
            "edit": rapidfuzz.fuzz.ratio(candidate, reference) / 100,
            "crystalbleu": crystal(candidate, reference, ignored),
        }

    def sacre(candidate, reference):
        return {
            "bleu_13a": bleu.sentence_score(candidate, [reference]).score,
            "bleu_code": bleu_code.sentence_score(spaced(candidate), [spaced(reference)]).score,
            "chrf": CHRF().sentence_score(candidate, [reference]).score,
            "chrf_pp": CHRF(word_order=2).sentence_score(candidate, [reference]).score,
        }

    every = recorded + EXTRA
    candidates, references = [c for c, _ in every], [r for _, r in every]
    words = sorted({token.lower() for text in candidates + references for token in code_tokens(text)} | set(VOCABULARY))
    stemmer = PorterStemmer()
    out = {
        "versions": {p.__name__: p.__version__ for p in (sacrebleu, nltk, rapidfuzz, torchmetrics)} | {"wordnet": wordnet.get_version()},
        "recorded": [values(*pair) for pair in recorded],
        "extra": [{"candidate": c, "reference": r, **sacre(c, r), **values(c, r)} for c, r in EXTRA],
        "corpus": {
            "bleu_13a": BLEU().corpus_score(candidates, [references]).score,
            "bleu_code": BLEU(tokenize="none").corpus_score([spaced(c) for c in candidates], [[spaced(r) for r in references]]).score,
            "chrf": CHRF().corpus_score(candidates, [references]).score,
            "chrf_pp": CHRF(word_order=2).corpus_score(candidates, [references]).score,
        },
        "trivial": [" ".join(gram) for gram, _ in trivial],
        "stems": {word: stemmer.stem(word) for word in words},
    }
    json.dump(out, open(out_path, "w"), indent=1)
    print("the n-gram of rank 500 occurs", trivial[-1][1], "times")


VOCABULARY = """caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned
falling hissing fizzed failing filing happy sky relational conditional rational valency hesitancy digitizer conformably radically
differently vilely analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality
sensitivity sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance inference
airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologou communism activate
angularity homologous effective bowdlerize probate rate cease controlling roll skies dying lying tying news innings outings
cannings howe proceed exceed succeed died tied cried spied flies dies enjoy say spy fly by syzygy yyyy oy toy analogy biologi
hopefully carefulli aller mental typically ally valli ing ed eed sses s ss ies ied oed owed boxed used asing ation ational
lation onion ionization option ion ll all fill controll well naïvely größen é éé""".split()

main(*sys.argv[1:])
