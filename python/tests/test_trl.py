"""The reward as TRL's GRPO calls it; by the trainer itself where TRL is installed."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import pytest

from codescore import CodeScorer, CodescoreError
from codescore.integrations.trl import CodescoreReward

SQUARE = "def square(x: int) -> int:\n    return x * x\n"
DOUBLE = "def square(x: int) -> int:\n    return x + x\n"
PROMPT = "Write square(x), the square of an integer."


def call(reward: CodescoreReward, completions: Any, prompt: Any = PROMPT, **columns: Any) -> Any:
    """Calls the reward as GRPOTrainer does, which repeats the columns for each completion."""
    many = len(completions)
    given = {name: [value] * many for name, value in columns.items()}
    ids = [[0]] * many
    return reward(prompts=[prompt] * many, completions=completions, completion_ids=ids, trainer_state=None, environments=None, **given)


def test_rewards_what_a_completion_does(running: CodeScorer) -> None:
    reward = CodescoreReward(scorer=running, run=True)
    fenced = f"Sure:\n```python\n{SQUARE}```\n"
    found = call(reward, [SQUARE, DOUBLE, fenced, "", "public class A {}"], reference=SQUARE)
    assert found[0] == found[2] > 0.9
    assert found[1] < 0.3
    assert found[3:] == [0.0, 0.0]
    assert found[0] == running.score([{"candidate": SQUARE, "reference": SQUARE}])[0]["score"]
    assert reward([], []) == []


def test_rewards_as_its_document_shows(running: CodeScorer) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    found = call(CodescoreReward(scorer=running, run=True), [SQUARE, DOUBLE, "I cannot do that."], reference=SQUARE)
    assert f"\n{found}\n" in text
    assert f"{{'codescore': {(found[1] + 1) / 2}, 'scores': [{found[1]}, 1.0]" in text  # of the same program under another name
    assert f"\n{found[1]} f(8): expected 64, got 16\n" in text


def test_reads_messages_and_columns_by_their_names(running: CodeScorer) -> None:
    asked = [{"role": "system", "content": "Answer in Python."}, {"role": "user", "content": [{"type": "text", "text": PROMPT}]}]
    answers = [
        [{"role": "assistant", "content": SQUARE}],
        [{"role": "assistant", "content": "..."}, {"role": "tool", "content": "4"}, {"role": "assistant", "content": [{"type": "text", "text": DOUBLE}]}],
        [{"role": "assistant", "content": None}],
    ]
    named = CodescoreReward(scorer=running, run=True, reference="solution", description="prompt")
    found = call(named, answers, asked, solution=SQUARE)
    rows = [{"candidate": text, "reference": SQUARE, "description": PROMPT, "task_id": "square"} for text in (SQUARE, DOUBLE)]
    assert found == [*(result["score"] for result in running.score(rows)), 0.0]
    described = call(CodescoreReward(scorer=running, description="prompt"), answers, asked)
    assert described[:2] == [running.score([{"candidate": text, "description": PROMPT}], run=False)[0]["score"] for text in (SQUARE, DOUBLE)]


def test_every_completion_wants_its_reference(running: CodeScorer) -> None:
    reward = CodescoreReward(scorer=running, run=True)
    with pytest.raises(CodescoreError, match="expected the column `reference` to have an entry for each of 3 completions, got 1"):
        reward(prompts=[PROMPT] * 3, completions=[SQUARE] * 3, reference=[SQUARE])
    with pytest.raises(CodescoreError, match="expected prompts to have an entry for each of 3 completions, got 1"):
        reward(prompts=[PROMPT], completions=[SQUARE] * 3, reference=[SQUARE] * 3)


def test_completions_may_continue_their_prompt(running: CodeScorer) -> None:
    reward = CodescoreReward(scorer=running, run=True, continues=True)
    head, body = SQUARE.split("\n", 1)
    assert call(reward, [body, "    return x + x\n"], f"{head}\n", reference=SQUARE) == call(CodescoreReward(scorer=running, run=True), [SQUARE, DOUBLE], reference=SQUARE)


def test_logs_what_trl_shows(running: CodeScorer) -> None:
    extra: dict[str, Any] = {}
    metrics: dict[str, Any] = {}
    reward = CodescoreReward(scorer=running, run=True, counterexamples=True)
    reward(prompts=[PROMPT] * 2, completions=[SQUARE, DOUBLE], reference=[SQUARE] * 2, log_extra=extra.__setitem__, log_metric=metrics.__setitem__)
    assert extra["codescore"][0] == ""
    assert "expected" in extra["codescore"][1]
    assert metrics == {"codescore/no_reward": 0.0}
    assert reward.__name__ == "codescore"


def test_the_late_have_no_reward_and_a_warning(running: CodeScorer) -> None:
    endless = "def square(x: int) -> int:\n    while True: x = len(str([x]))\n"
    reward = CodescoreReward(scorer=running, run=True, timeout=0.3)
    with pytest.warns(RuntimeWarning, match="of 40 completions have no reward: .* longer than its `timeout`"):
        found = reward(prompts=[f"{n}" for n in range(40)], completions=[f"{endless}# {n}\n" for n in range(40)], reference=[SQUARE] * 40)
    assert found[-1] is None


def test_says_which_columns_it_wants(running: CodeScorer) -> None:
    with pytest.raises(CodescoreError, match=r"columns reference or description \(or say which.*; got .*solution"):
        call(CodescoreReward(scorer=running, run=True), [SQUARE], solution=SQUARE)
    with pytest.raises(CodescoreError, match="columns answer; got"):
        call(CodescoreReward(scorer=running, reference="answer"), [SQUARE], description=PROMPT)


def test_rewards_a_batch_at_once(running: CodeScorer) -> None:
    bodies = ["x * x", "x + x", "x ** 2", "x", "0", "abs(x) * abs(x)", "x * x if x else 1", "sum([x] * x)"]
    completions = [f"```python\ndef square(x: int) -> int:\n    return {body}  # {n}\n```" for n in range(8) for body in bodies]
    reward = CodescoreReward(scorer=running, run=True)
    call(reward, completions[:8], reference=SQUARE)
    began = time.monotonic()
    found = call(reward, completions, reference=f"{SQUARE}# other\n")
    took = time.monotonic() - began
    assert len(found) == 64
    assert found[0] > 0.9 > found[1]
    assert took < 10.0, took  # 0.3 CPU seconds; a busy machine may take many times that


def test_travels_to_other_processes() -> None:
    reward = pickle.loads(pickle.dumps(CodescoreReward(model="tiny")))
    assert call(reward, [SQUARE], reference=SQUARE)[0] > 0.5


def test_trains_with_trl(running: CodeScorer, tmp_path: Any) -> None:
    trl = pytest.importorskip("trl")
    datasets, tokenizers, transformers = (pytest.importorskip(name) for name in ("datasets", "tokenizers", "transformers"))
    # A byte-level model of two small layers with random weights: nothing is downloaded.
    letters = {token: place for place, token in enumerate(["<pad>", "<eos>", *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())])}
    bytewise = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=letters, merges=[]))
    bytewise.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=bytewise, pad_token="<pad>", eos_token="<eos>", padding_side="left")
    size = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2)
    ends = dict(pad_token_id=0, bos_token_id=1, eos_token_id=1)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=len(letters), **size, **ends))
    rewarded: list[Any] = []

    class Kept(CodescoreReward):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            rewarded.append((options["completions"], super().__call__(*arguments, **options)))
            return rewarded[-1][1]

    data = datasets.Dataset.from_list([{"prompt": PROMPT, "reference": SQUARE}] * 4)
    settings = trl.GRPOConfig(
        **dict(output_dir=str(tmp_path), max_steps=2, per_device_train_batch_size=4, num_generations=4, max_completion_length=16),
        **dict(logging_steps=1, report_to=[], use_cpu=True, save_strategy="no", bf16=False, log_completions=False),
    )
    trainer = trl.GRPOTrainer(model=model, processing_class=tokenizer, reward_funcs=Kept(scorer=running, run=True), args=settings, train_dataset=data)
    trainer.train()
    assert [len(rewards) for _, rewards in rewarded] == [4, 4]
    logged = [log["rewards/codescore/mean"] for log in trainer.state.log_history if "rewards/codescore/mean" in log]
    assert logged == pytest.approx([sum(rewards) / 4 for _, rewards in rewarded], abs=1e-6)
    assert [log["codescore/no_reward"] for log in trainer.state.log_history if "codescore/no_reward" in log] == [0.0, 0.0]
