"""Records the results of PyTorch for tiny random encoders of each architecture that `codescore import` reads:
python scripts/record/encoders.py test/fixtures/encoders [NAME...]

Writes for each a folder in Hugging Face's layout, and expected.json: hidden states, gradients, the last hidden states after an AdamW
update, and the token ids of texts. Needs torch (2.6), transformers (5.24), tokenizers and safetensors.
"""

import copy
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = [
    "def total ( values ) : return sum ( values )",
    "for index in range ( 10 ) : print ( index )",
    "Return the sum of a list of numbers.",
    "if value is None : raise ValueError ( ' no value ' )",
    "The longest word that is a palindrome, or nothing where there is none.",
    "while left < right : left += 1",
]
CASES = ["Return the sum!", "index in values", "a = b + 10", "the longest  value\n is None", "naïve <s> [CLS] </s>"]
SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48)
BERT = dict(pad="[PAD]", unk="[UNK]", cls="[CLS]", sep="[SEP]", mask="[MASK]")
ROBERTA = dict(pad="<pad>", unk="<unk>", cls="<s>", sep="</s>", mask="<mask>")


def closed(tokenizer, names):
    """Adds a template that puts the special tokens around a text."""
    ids = [(names[key], tokenizer.token_to_id(names[key])) for key in ("cls", "sep")]
    single = f"{names['cls']} $A {names['sep']}"
    tokenizer.post_processor = processors.TemplateProcessing(single=single, special_tokens=ids)
    return tokenizer


def wordpiece(names):
    tokenizer = Tokenizer(models.WordPiece(unk_token=names["unk"]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=140, special_tokens=list(names.values()), show_progress=False)
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    return closed(tokenizer, names)


def byte_level(names):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=290,
        special_tokens=list(names.values()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    return closed(tokenizer, names)


def unigram(names):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(" {2,}", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    special = [names[key] for key in ("pad", "sep", "unk", *(k for k in ("cls", "mask") if k in names))]
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=special, unk_token=names["unk"], show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    if "cls" in names:
        return closed(tokenizer, names)
    end = (names["sep"], tokenizer.token_to_id(names["sep"]))
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {end[0]}", special_tokens=[end])
    return tokenizer


def ids_of(tokenizer, names):
    """The ids of special tokens under the key names of configs."""
    of = {key: tokenizer.token_to_id(token) for key, token in names.items()}
    return dict(pad_token_id=of["pad"], eos_token_id=of["sep"], **({"bos_token_id": of["cls"]} if "cls" in of else {}))


def bert():
    tokenizer = wordpiece(BERT)
    config = hf.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=40, **SIZES, pad_token_id=0
    )
    return tokenizer, hf.BertModel(config, add_pooling_layer=False)


def distilbert():
    tokenizer = wordpiece(BERT)
    config = hf.DistilBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=40, dim=32, n_layers=2, n_heads=4, hidden_dim=48, pad_token_id=0,
    )
    return tokenizer, hf.DistilBertModel(config)


def mpnet():
    names = dict(cls="<s>", pad="<pad>", sep="</s>", unk="[UNK]", mask="<mask>")
    tokenizer = wordpiece(names)
    config = hf.MPNetConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=42, **SIZES, **ids_of(tokenizer, names)
    )
    return tokenizer, hf.MPNetModel(config, add_pooling_layer=False)


def modernbert():
    tokenizer = byte_level(BERT)
    config = hf.ModernBertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=64, **SIZES, **ids_of(tokenizer, BERT),
        cls_token_id=tokenizer.token_to_id("[CLS]"), sep_token_id=tokenizer.token_to_id("[SEP]"),
        global_attn_every_n_layers=2, local_attention=8,
    )
    return tokenizer, hf.ModernBertModel(config)


def nomic_bert():
    tokenizer = wordpiece(BERT)
    config = hf.NomicBertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=64, **SIZES, pad_token_id=0
    )
    return tokenizer, hf.NomicBertModel(config, add_pooling_layer=False)


def t5():
    tokenizer = unigram(dict(pad="<pad>", sep="</s>", unk="<unk>"))
    config = hf.T5Config(
        vocab_size=tokenizer.get_vocab_size(), d_model=32, d_kv=6, d_ff=48, num_layers=2, num_heads=4,
        relative_attention_num_buckets=8, relative_attention_max_distance=12, feed_forward_proj="gated-gelu",
    )
    return tokenizer, hf.T5EncoderModel(config)


def codet5():
    """T5's first feed-forward layer and RoBERTa's tokenizer, as in CodeT5."""
    names = dict(pad="<pad>", cls="<s>", sep="</s>", unk="<unk>", mask="<mask>")
    tokenizer = byte_level(names)
    config = hf.T5Config(
        vocab_size=tokenizer.get_vocab_size(), d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
        relative_attention_num_buckets=8, relative_attention_max_distance=12, feed_forward_proj="relu",
        **ids_of(tokenizer, names),
    )
    return tokenizer, hf.T5EncoderModel(config)


def deberta_v2():
    tokenizer = unigram(BERT)
    config = hf.DebertaV2Config(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=40, **SIZES, pad_token_id=0,
        relative_attention=True, position_buckets=6, norm_rel_ebd="layer_norm", share_att_key=True,
        pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0, layer_norm_eps=1e-7,
    )
    return tokenizer, hf.DebertaV2Model(config)


MODELS = dict(
    bert=bert, distilbert=distilbert, mpnet=mpnet, modernbert=modernbert, nomic_bert=nomic_bert, t5=t5, codet5=codet5,
    deberta_v2=deberta_v2,
)


def wave(count):
    """A vector with a different value in every place."""
    return torch.sin(1 + torch.arange(count, dtype=torch.float64)).float()


def save_gradients(model, folder):
    """Saves the gradients instead of the parameters, under the same names and shapes, in half precision."""
    of_gradients = copy.deepcopy(model)
    for parameter, its in zip(model.parameters(), of_gradients.parameters(), strict=True):
        its.data = torch.zeros_like(its) if parameter.grad is None else parameter.grad.clone()
    with tempfile.TemporaryDirectory() as scratch:
        of_gradients.half().save_pretrained(scratch)
        shutil.copy(Path(scratch) / "model.safetensors", folder / "gradients.safetensors")


def record(name, folder):
    torch.manual_seed(sum(map(ord, name)))
    tokenizer, model = MODELS[name]()
    model = model.float().eval()
    model.set_attn_implementation("eager")
    with torch.no_grad():  # every parameter random, including norms and biases, because a zero or a one would hide a wrong path
        for parameter in model.parameters():
            parameter += 0.15 * torch.randn_like(parameter)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))

    lengths, width = [14, 9, 5], 14
    vocabulary = tokenizer.get_vocab_size()
    pad = model.config.pad_token_id
    ids = torch.full((len(lengths), width), pad)
    mask = torch.zeros_like(ids)
    for row, length in enumerate(lengths):
        ids[row, :length] = torch.randint(5, vocabulary, (length,))
        mask[row, :length] = 1

    def states():
        """The embeddings and the output of each layer; the last includes the final norm, if there is one."""
        out = model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
        assert torch.equal(out.hidden_states[-1], out.last_hidden_state)
        return out.hidden_states

    hidden = states()
    assert len(hidden) == 3
    kept = mask.bool()
    loss = sum((h[kept].flatten() * wave(h[kept].numel())).sum() * (layer + 1) for layer, h in enumerate(hidden))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.02)
    loss.backward()
    save_gradients(model, folder)
    optimizer.step()
    after = states()[-1]
    digits = lambda t: [float(f"{v:.7g}") for v in t.detach()[kept].flatten().tolist()]
    expected = dict(
        ids=ids.tolist(),
        mask=mask.tolist(),
        hidden=[digits(h) for h in hidden],
        loss=loss.item(),
        update=dict(lr=0.01, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.02, last_hidden=digits(after)),
        tokens=[dict(text=text, ids=tokenizer.encode(text, add_special_tokens=False).ids) for text in CASES],
    )
    assert math.isfinite(expected["loss"])
    (folder / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    out = Path(sys.argv[1])
    for name in sys.argv[2:] or MODELS:
        record(name, out / name)
        print(name)
