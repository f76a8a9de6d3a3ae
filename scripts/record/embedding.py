"""Records BERTScore, CodeBERTScore and COMET over tiny random encoders, for test/metrics/embedding.

Needs torch, transformers, tokenizers, onnx, onnxscript, torchmetrics. Writes into test/fixtures/embedding:
  encoder.onnx   test/fixtures/unixcoder-tiny by torch.onnx, every hidden state an output
  bert/          a BERT with WordPiece, one layer, last_hidden_state only, with token_type_ids
  comet/         a substitute for Unbabel's RegressionMetric: three encodings, XLM-R with a Unigram tokenizer
  unified/       a substitute for its UnifiedMetric: one merged sequence
  expected.json  the results
`bert-score`, `code_bert_score` and `unbabel-comet` were not available when this was recorded. Their algorithms are
implemented below from their published sources (Tiiiger/bert_score at cb582ed, neulab/code-bert-score at a15431e;
comet/models/{regression/regression_metric,multitask/unified_metric}.py of Unbabel/COMET), one pair at a time. In those packages a pair's
value also depends slightly on its batch (padding floors similarities at 0 and shifts the windows of long inputs).
torchmetrics' BERTScore is a third implementation. In it no token may match a special one; in bert-score tokens may.
"""
import json
import string
from math import log
from pathlib import Path

import onnx
import tokenizers
import torch
import torchmetrics
import transformers
from tokenizers import models, normalizers, pre_tokenizers, processors, trainers
from torch import nn
from transformers import (AutoModel, AutoTokenizer, BertConfig, BertModel, PreTrainedTokenizerFast, XLMRobertaConfig,
                          XLMRobertaModel)

root = Path(__file__).resolve().parents[2] / "test" / "fixtures"
out = root / "embedding"
torch.manual_seed(7)

LONG = "\n".join(f"def step_{i}(x, y={i}):\n    return [x + y * {i}, x - {i}] if x > {i} else None" for i in range(9))
PAIRS = [
    ("def add(a, b):\n    return a + b\n", "def add(x, y):\n    return y + x\n", "Add two numbers."),
    ("def f(n):\n    return n % 2 == 0", "def f(n):\n    return n % 2 == 0", "Is n even?"),
    ("print('hello')", "for i in range(10):\n\tprint(i ** 2)", "Print the first ten squares."),
    ("  return sum(xs) / len(xs)  \n\n", "\nreturn mean(xs)", "The mean of a list."),
    ("", "def g():\n    pass", "Do nothing."),
    ("   \n", "x = 1", ""),
    ("(){}[]:;", "def h(): return ()", "An empty tuple."),
    ("while True: pass", "<= >= == != ()", "Never ends."),
    ("s = 'ünïcödé 你好 🙂'", "s = 'unicode'", "A string."),
    (LONG, "\n".join(LONG.split("\n")[4:]), "Steps."),
    (LONG[:400], LONG, "Many steps, with a description that is not all that short itself."),
    ("a+b-c*d/e & f | ~g", "a + b", "Operators that are kept."),
]
PUNCTUATION = set(string.punctuation) - set("+-*/&|~")


def is_punctuation(token):
    return all(c in PUNCTUATION for c in token.strip("\u0120\u010a\u0109"))


def windows(total, size):
    """(from, to, first kept, end kept): windows that overlap by half (SLED; Ivgi et al. 2022)."""
    if total <= size:
        return [(0, total, 0, total)]
    margin = size // 4
    stride = size - 2 * margin
    made = [(0, size, 0, size - margin)]
    while made[-1][1] < total:
        start, end, _, kept = made[-1]
        end = min(total, end + stride)
        last = end == total
        start = total - size if last else start + stride
        made.append((start, end, kept, total if last else kept + stride))
    return made


class Encoder:
    def __init__(self, model, tokenizer, layer):
        self.model, self.tokenizer, self.layer, self.size = model, tokenizer, layer, tokenizer.model_max_length

    def ids(self, text, space, cut):
        text = text.strip()
        if text == "":
            return self.tokenizer("").input_ids
        ids = self.tokenizer((" " if space else "") + text).input_ids
        return ids[: self.size - 1] + ids[-1:] if cut and len(ids) > self.size else ids

    def vectors(self, ids):
        parts = []
        for start, end, first, last in windows(len(ids), self.size):
            with torch.no_grad():
                states = self.model(torch.tensor([ids[start:end]]), output_hidden_states=True).hidden_states[self.layer]
            parts.append(states[0, first - start : last - start])
        return torch.cat(parts)


def match(candidate, reference, beta_too):
    """candidate, reference: (vectors, weights, number of tokens without special ones)."""
    (c, cw, cn), (r, rw, rn) = candidate, reference
    similarity = nn.functional.normalize(c, dim=-1) @ nn.functional.normalize(r, dim=-1).T
    p = (similarity.max(1).values * cw / cw.sum()).sum()
    q = (similarity.max(0).values * rw / rw.sum()).sum()
    f = [2 * p * q / (p + q)] + ([10 * p * q / (9 * p + q)] if beta_too else [])
    if cn == 0 or rn == 0:
        p = q = torch.tensor(0.0)
    return [float(p), float(q), *(0.0 if x.isnan() else float(x) for x in f)]


def idf_of(documents):
    counts = {}
    for ids in documents:
        for one in set(ids):
            counts[one] = counts.get(one, 0) + 1
    return lambda one: log((len(documents) + 1) / (counts.get(one, 0) + 1))


def weigher(encoder, idf, documents):
    special = {encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id}
    return idf_of(documents) if idf else lambda one: 0.0 if one in special else 1.0


def bertscore(encoder, idf=False, space=True):
    encode = lambda text: encoder.ids(text, space, True)
    weight = weigher(encoder, idf, [encode(reference) for _, reference, _ in PAIRS])

    def read(text):
        ids = encode(text)
        return encoder.vectors(ids), torch.tensor([weight(one) for one in ids]), len(ids) - 2

    return [match(read(candidate), read(reference), False) for candidate, reference, _ in PAIRS]


def codebertscore(encoder, idf=False, context=False):
    encode = lambda text: encoder.ids(text, False, False)
    weight = weigher(encoder, idf, [encode(reference) for _, reference, _ in PAIRS])

    def read(text, description):
        source = f"{description.strip()} \n" if context else ""
        ids = encode(source + text.strip())
        keep = [True] * len(ids)
        for j in range(1, len(ids) - 1):  # the tokens that lie wholly within the source
            text_so_far = encoder.tokenizer.decode(ids[1 : j + 1])
            keep[j] = not source.startswith(text_so_far)
            if keep[j]:
                break
        tokens = encoder.tokenizer.convert_ids_to_tokens(ids)
        at = [i for i, kept in enumerate(keep) if kept and not is_punctuation(tokens[i])]
        return encoder.vectors(ids)[at], torch.tensor([weight(ids[i]) for i in at]), len(at) - 2

    return [match(read(c, d), read(r, d), True) for c, r, d in PAIRS]


def rounded(rows):
    return [[None if x != x else round(x, 7) for x in row] for row in rows]


def export(model, inputs, names, outputs, path, axes):
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(model, tuple(inputs), str(path), input_names=names, output_names=outputs, dynamic_shapes=axes,
                      dynamo=True, external_data=False, optimize=True)
    graph = onnx.load(path)  # without the exporter's notes, which are most of the file
    for one in [*graph.graph.node, *graph.graph.input, *graph.graph.output, *graph.graph.initializer]:
        one.ClearField("metadata_props")
        one.ClearField("doc_string")
    for field in ("metadata_props", "doc_string"):
        graph.ClearField(field)
        graph.graph.ClearField(field)
    graph.graph.ClearField("value_info")
    onnx.save(graph, path)


class States(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        found = self.model(input_ids, attention_mask=attention_mask, output_hidden_states=True)
        return (found.last_hidden_state, *found.hidden_states)


class Last(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state


class Regression(nn.Module):
    """RegressionMetric.forward with layer "mix", average pooling and no layer norm (as in wmt22-comet-da)."""

    def __init__(self, encoder):
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.scalars = nn.Parameter(torch.randn(encoder.config.num_hidden_layers + 1))
        self.estimator = nn.Sequential(nn.Linear(6 * size, 24), nn.Tanh(), nn.Linear(24, 1))

    def mixed(self, ids, mask):
        states = self.encoder(ids, attention_mask=mask, output_hidden_states=True).hidden_states
        return sum(w * s for w, s in zip(torch.softmax(self.scalars, 0), states))

    def embed(self, ids, mask):
        weight = mask.unsqueeze(-1).float()
        return (self.mixed(ids, mask) * weight).sum(1) / weight.sum(1)

    def forward(self, src_input_ids, src_attention_mask, mt_input_ids, mt_attention_mask, ref_input_ids,
                ref_attention_mask):
        src, mt, ref = (self.embed(*pair) for pair in ((src_input_ids, src_attention_mask),
                                                       (mt_input_ids, mt_attention_mask),
                                                       (ref_input_ids, ref_attention_mask)))
        joined = torch.cat((mt, ref, mt * ref, (mt - ref).abs(), mt * src, (mt - src).abs()), dim=1)
        return self.estimator(joined)


class Unified(Regression):
    def __init__(self, encoder):
        super().__init__(encoder)
        self.estimator = nn.Sequential(nn.Linear(encoder.config.hidden_size, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, input_ids, attention_mask):
        return self.estimator(self.mixed(input_ids, attention_mask)[:, 0]).view(-1)


def save(folder, config, tokenizer):
    folder.mkdir(parents=True, exist_ok=True)
    config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


texts = [text for pair in PAIRS for text in pair]
expected = {"versions": {m.__name__: m.__version__ for m in (torch, transformers, tokenizers, torchmetrics)}}
expected["pairs"] = [dict(zip(("candidate", "reference", "description"), pair)) for pair in PAIRS]

# BERTScore and CodeBERTScore over RoBERTa.
roberta = AutoModel.from_pretrained(root / "unixcoder-tiny", attn_implementation="eager").eval()
fast = AutoTokenizer.from_pretrained(root / "unixcoder-tiny")
at = {layer: Encoder(roberta, fast, layer) for layer in range(4)}
batch = torch.export.Dim("batch"), torch.export.Dim("sequence")
ids = torch.randint(6, 400, (2, 9))
sizes = {0: batch[0], 1: batch[1]}
export(States(roberta), (ids, torch.ones_like(ids)), ["input_ids", "attention_mask"],
       ["last_hidden_state", *(f"hidden_states.{i}" for i in range(4))], out / "encoder.onnx", (sizes, sizes))
expected["bertscore"] = {
    "last": rounded(bertscore(at[3])),
    "layer 1": rounded(bertscore(at[1])),
    "layer 2, idf": rounded(bertscore(at[2], idf=True)),
}
expected["codebertscore"] = {
    "last": rounded(codebertscore(at[3])),
    "layer 2": rounded(codebertscore(at[2])),
    "last, idf": rounded(codebertscore(at[3], idf=True)),
    "last, context": rounded(codebertscore(at[3], context=True)),
}

# torchmetrics, where both sides have tokens. Pair by pair, because it sorts each side by length independently.
from torchmetrics.functional.text.bert import bert_score


def by_torchmetrics(candidate, reference):
    found = bert_score([" " + candidate.strip()], [" " + reference.strip()], model=roberta, user_tokenizer=fast,
                       num_layers=3, max_length=fast.model_max_length, truncation=True)
    return [float(found[key]) for key in ("precision", "recall", "f1")]


both = [(c, r) if c.strip() and r.strip() else None for c, r, _ in PAIRS]
expected["torchmetrics"] = [None if pair is None else rounded([by_torchmetrics(*pair)])[0] for pair in both]

# BERT with WordPiece.
word = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
word.normalizer, word.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
word.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False))
word.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
wordpiece = PreTrainedTokenizerFast(tokenizer_object=word, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
                                    unk_token="[UNK]", mask_token="[MASK]", model_max_length=64)
bert = BertModel(BertConfig(vocab_size=len(wordpiece), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                            intermediate_size=32, max_position_embeddings=64, initializer_range=0.3,
                            attn_implementation="eager"), add_pooling_layer=False).eval()
save(out / "bert", bert.config, wordpiece)
ids = torch.randint(6, 100, (2, 9))
export(Last(bert), (ids, torch.ones_like(ids), torch.zeros_like(ids)), ["input_ids", "attention_mask", "token_type_ids"],
       ["last_hidden_state"], out / "bert" / "model.onnx", (sizes, sizes, sizes))
expected["bert"] = {"bertscore": rounded(bertscore(Encoder(bert, wordpiece, 1), space=False)),
                    "codebertscore": rounded(codebertscore(Encoder(bert, wordpiece, 1)))}

# COMET.
piece = tokenizers.Tokenizer(models.Unigram())
piece.pre_tokenizer = pre_tokenizers.Metaspace()
special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
piece.train_from_iterator(texts, trainers.UnigramTrainer(vocab_size=220, special_tokens=special, unk_token="<unk>",
                                                         show_progress=False))
piece.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
unigram = PreTrainedTokenizerFast(tokenizer_object=piece, bos_token="<s>", eos_token="</s>", cls_token="<s>",
                                  sep_token="</s>", pad_token="<pad>", unk_token="<unk>", mask_token="<mask>",
                                  model_max_length=64)
config = XLMRobertaConfig(vocab_size=len(unigram), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                          intermediate_size=32, max_position_embeddings=66, initializer_range=0.3, pad_token_id=1,
                          bos_token_id=0, eos_token_id=2, attn_implementation="eager")
regression = Regression(XLMRobertaModel(config, add_pooling_layer=False)).eval()
unified = Unified(XLMRobertaModel(config, add_pooling_layer=False)).eval()
save(out / "comet", config, unigram)
config.input_segments = ["mt", "src", "ref"]
save(out / "unified", config, unigram)
own = [{0: batch[0], 1: torch.export.Dim(name)} for name in ("src", "mt", "ref")]
inputs = [torch.randint(6, 100, (2, n)) for n in (7, 8, 9)]
export(regression, [t for one in inputs for t in (one, torch.ones_like(one))],
       [f"{part}_{name}" for part in ("src", "mt", "ref") for name in ("input_ids", "attention_mask")], ["score"],
       out / "comet" / "model.onnx", tuple(axes for axes in own for _ in range(2)))
export(unified, (inputs[0], torch.ones_like(inputs[0])), ["input_ids", "attention_mask"], ["score"],
       out / "unified" / "model.onnx", (sizes, sizes))


def comet(candidate, reference, description):
    encoded = [unigram([text], return_tensors="pt", truncation=True) for text in (description, candidate, reference)]
    with torch.no_grad():
        return regression(*(t for one in encoded for t in (one.input_ids, one.attention_mask))).item()


def merged(*parts):
    ids = [unigram(text, add_special_tokens=False).input_ids for text in parts]
    joined = [0, *ids[0], *(one for part in ids[1:] for one in (2, 2, *part)), 2]
    if len(joined) > 64:
        return None
    with torch.no_grad():
        return unified(torch.tensor([joined]), torch.ones(1, len(joined), dtype=torch.long)).item()


def unite(candidate, reference, description):
    scores = [merged(candidate, description), merged(candidate, reference), merged(candidate, description, reference)]
    return None if None in scores else sum(scores) / 3


expected["comet"] = [round(comet(*pair), 7) for pair in PAIRS]
expected["unified"] = [unite(*pair) for pair in PAIRS]
expected["tokens"] = {"bert": [wordpiece(t).input_ids for t in texts], "comet": [unigram(t).input_ids for t in texts]}
(out / "expected.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n")
