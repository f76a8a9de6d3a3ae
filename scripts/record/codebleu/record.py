"""Records the results of codebleu for pairs of programs: test/fixtures/codebleu/LANGUAGE.json.

    python scripts/record/codebleu/record.py FOLDER VERSION

FOLDER contains the package `codebleu` (k4black/codebleu, `pip install --no-deps --target FOLDER codebleu==VERSION`). The committed fixtures
were made with a transcription of its source, because PyPI could not be reached: change the label together with the package. Use Python 3.11,
because later versions split f-strings when comments are removed. The pairs: each program in programs/ with itself, with the
next one, and with seeded mutations of itself, a third of which no longer parse.

Its data flow depends on Python's hash seed, because it merges names through a set. The file has all values that occurred under SEEDS seeds, and
the value with sets that keep their order.
codebleu does not support TypeScript. For it the file has its syntactic match with that grammar, and its n-gram matches with our keywords.
"""

import json
import logging
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
LANGUAGES = ["python", "javascript", "typescript", "java", "cpp", "go"]
SEEDS = 12
EXTRA_KEYWORDS = (
    "abstract any as asserts async bigint boolean declare from get infer is keyof module namespace never number object of override "
    "readonly require satisfies set string symbol true type undefined unique unknown"
)


class InOrder(dict):
    """A set that keeps the order of its elements."""

    def __init__(self, elements=()):
        super().__init__((element, None) for element in elements)

    def add(self, element):
        self[element] = None


def mutated(code, rng):
    lines = code.split("\n")
    words = re.findall(r"\b[a-z_]\w*\b", code)
    i = rng.randrange(len(lines))
    kind = rng.choice(["rename", "drop", "double", "swap", "cut", "sign", "number", "word", "insert"])
    if kind == "rename":
        return re.sub(r"\b%s\b" % rng.choice(words), "renamed", code)
    if kind == "drop":
        del lines[i]
    elif kind == "double":
        lines.insert(i, lines[i])
    elif kind == "swap":
        j = rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == "cut":
        return code[: rng.randrange(len(code) // 3, len(code))]
    elif kind == "sign":
        at = rng.choice([m.start() for m in re.finditer(r"[-+*/<>=(){}\[\]:;,.]", code)])
        return code[:at] + rng.choice("-+*<=(){}[],.") + code[at + 1 :]
    elif kind == "number":
        return re.sub(r"\b\d+\b", lambda m: str(int(m.group()) + rng.randrange(3)), code)
    elif kind == "word":
        return re.sub(r"\b%s\b" % rng.choice(words), rng.choice(words), code, count=1)
    else:
        lines.insert(i, rng.choice(lines))
    return "\n".join(lines)


def pairs_of(language):
    with open(os.path.join(HERE, "programs", language + ".txt"), encoding="utf-8") as file:
        programs = [program.strip("\n") + "\n" for program in file.read().split("\n=====\n")]
    rng = random.Random(language)
    pairs = []
    for i, program in enumerate(programs):
        candidates = [program, programs[(i + 1) % len(programs)]]
        for changes in (1, 1, 2, 3, 5, 8):
            candidate = program
            for _ in range(changes):
                candidate = mutated(candidate, rng) if candidate.strip() else program
            candidates.append(candidate)
        pairs += [{"candidate": candidate, "reference": program} for candidate in candidates]
    return pairs


def flows(language):
    from codebleu import dataflow_match

    return [
        dataflow_match.corpus_dataflow_match([[pair["reference"].strip()]], [pair["candidate"].strip()], language)
        for pair in pairs_of(language)
    ]


def values(language, pair):
    from codebleu import bleu, syntax_match, weighted_ngram_match
    from codebleu.codebleu import PACKAGE_DIR
    from codebleu.utils import get_tree_sitter_language

    candidate, reference = pair["candidate"].strip(), pair["reference"].strip()
    known = "javascript" if language == "typescript" else language
    keywords = (PACKAGE_DIR / "keywords" / (known + ".txt")).read_text().split()
    keywords += EXTRA_KEYWORDS.split() if language == "typescript" else []
    weights = {token: 1 if token in keywords else 0.2 for token in reference.split()}
    return {
        "ngram": bleu.corpus_bleu([[reference.split()]], [candidate.split()]),
        "weightedNgram": weighted_ngram_match.corpus_bleu([[[reference.split(), weights]]], [candidate.split()]),
        "syntax": syntax_match.corpus_syntax_match(
            [[reference]], [candidate], language, tree_sitter_language=get_tree_sitter_language(language)
        ),
    }


def record(language, package, version):
    recorded = [{**pair, **values(language, pair)} for pair in pairs_of(language)]
    if language == "python":
        from codebleu import calc_codebleu

        for seed in range(SEEDS):
            run = subprocess.run(
                [sys.executable, __file__, package, "flows"],
                env={**os.environ, "PYTHONHASHSEED": str(seed)},
                stdout=subprocess.PIPE,
                check=True,
            )
            for pair, flow in zip(recorded, json.loads(run.stdout)):
                pair.setdefault("dataFlow", []).append(flow)
        sys.modules["codebleu.dataflow_match"].set = sys.modules["codebleu.parser.DFG"].set = InOrder
        for pair, flow in zip(recorded, flows(language)):
            pair["dataFlow"] = sorted(set(pair["dataFlow"]))
            pair["dataFlowInOrder"] = flow
            if len(pair["dataFlow"]) == 1:
                pair["codebleu"] = calc_codebleu([pair["reference"]], [pair["candidate"]], language)["codebleu"]
    about = {
        "recorded": "codebleu %s, transcribed from its published source, on Python %d.%d, by scripts/record/codebleu/record.py" % (version, *sys.version_info[:2]),
        "seeds": SEEDS,
    }
    path = os.path.join(ROOT, "test", "fixtures", "codebleu", language + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**about, "pairs": recorded}, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    package, version = sys.argv[1:]
    logging.disable()  # it warns about each pair without data flow
    sys.path[:0] = [package, HERE]
    import tree_sitter_wasm

    sys.modules["tree_sitter"] = tree_sitter_wasm
    import codebleu.utils

    for module in ("utils", "syntax_match", "dataflow_match"):
        setattr(sys.modules["codebleu." + module], "get_tree_sitter_language", tree_sitter_wasm.Language)
    if version == "flows":
        print(json.dumps(flows("python")))
    else:
        os.makedirs(os.path.join(ROOT, "test", "fixtures", "codebleu"), exist_ok=True)
        for language in LANGUAGES:
            record(language, package, version)
