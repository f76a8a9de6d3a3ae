"""A reward for TRL's GRPO: how much of its task a completion does."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from ..errors import CodescoreError
from ..scorer import CodeScorer
from .answers import Judged, judge

_COLUMNS = ("reference", "description", "task_id", "entry_point")


class CodescoreReward:
    """`GRPOTrainer(reward_funcs=CodescoreReward(run=True), ...)`: rewards from 0 to 1.

    The dataset says what is asked, in the columns `reference` (a correct program), `description`, or both; `entry_point` and `task_id` are used
    if they exist. `reference="solution"` and the like say which column is which, if names differ; `description="prompt"` takes the prompt.
    Answers in Markdown are taken out of their fences. A completion that is not a Python program has reward 0.

    run: also run the completions in a sandbox.
    timeout: seconds for a batch, without the start of the child; late completions have no reward (None), with a RuntimeWarning.
    continues: the completions continue the prompt, which is the beginning of a program.
    model: as in CodeScorer. scorer: a scorer that is already open.
    options: as in CodeScorer.score, such as `inputs=20`. `counterexamples=True` shows, in TRL's table of completions, on which input each
    goes wrong; it costs more than the rewards themselves.
    """

    def __init__(
        self,
        *,
        run: bool = False,
        timeout: Optional[float] = 60.0,
        continues: bool = False,
        model: Optional[str] = None,
        scorer: Optional[CodeScorer] = None,
        reference: Optional[str] = None,
        description: Optional[str] = None,
        task_id: Optional[str] = None,
        entry_point: Optional[str] = None,
        **options: Any,
    ) -> None:
        self.__name__ = "codescore"  # TRL logs rewards/codescore/mean
        self._scorer = CodeScorer(model, run=run) if scorer is None else scorer
        self._continues = continues
        self._named = dict(reference=reference, description=description, task_id=task_id, entry_point=entry_point)
        self._options = {"run": run, "timeout": timeout, **({"counterexamples": False} if run else {}), **options}

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        log_extra: Optional[Callable[[str, list[Any]], None]] = None,
        log_metric: Optional[Callable[[str, float], None]] = None,
        **columns: Any,
    ) -> list[Optional[float]]:
        """Called by TRL. prompts, completions: texts, or lists of messages. columns: the dataset's columns, and other arguments of TRL."""
        if not completions:
            return []
        judged = judge(self._scorer, self._rows(prompts, completions, columns), **self._options)
        rewards = [one.score for one in judged]
        _warn(judged)
        if log_metric is not None:
            log_metric("codescore/no_reward", rewards.count(None) / len(rewards))
        if log_extra is not None:
            log_extra("codescore", [one.why or "" for one in judged])
        return rewards

    def _rows(self, prompts: Sequence[Any], completions: Sequence[Any], columns: Mapping[str, Any]) -> list[dict[str, Any]]:
        given = {**columns, "prompt": [text_of(prompt, "user") for prompt in prompts]}
        named = {name: self._named[name] or name for name in _COLUMNS}
        missing = [column for name, column in named.items() if self._named[name] is not None and column not in given]
        if missing or not {named["reference"], named["description"]} & given.keys():
            wanted = ", ".join(missing) or "reference or description (or say which: reference=, description=)"
            raise CodescoreError("usage", f"expected the dataset to have the columns {wanted}; got {', '.join(sorted(given))}")
        found = {name: given[column] for name, column in named.items() if column in given}
        for column in ("prompt", *(named[name] for name in found)):
            if len(given[column]) != len(completions):
                what = "prompts" if column == "prompt" else f"the column `{column}`"
                raise CodescoreError("usage", f"expected {what} to have an entry for each of {len(completions)} completions, got {len(given[column])}")
        # Completions of one prompt belong to one task, so they are run together.
        found.setdefault("task_id", [json.dumps(prompt, default=str) for prompt in prompts])
        if self._continues:
            found["prompt"] = given["prompt"]
        found["candidate"] = [text_of(completion, "assistant") for completion in completions]
        return [dict(zip(found, values)) for values in zip(*found.values())]


def text_of(said: Any, role: str) -> str:
    """A text as it is; of messages, the content of the last one with this role."""
    if isinstance(said, str):
        return said
    content = next((message.get("content") for message in reversed(said) if message.get("role") == role), None)
    if isinstance(content, list):  # parts, some of which may be images
        return "".join(part.get("text") or "" for part in content)
    return content or ""


def _warn(judged: Sequence[Judged]) -> None:
    why = Counter(one.why for one in judged if one.score is None)
    if why:
        ((reason, _),) = why.most_common(1)
        warnings.warn(f"{sum(why.values())} of {len(judged)} completions have no reward: {reason}", RuntimeWarning, stacklevel=3)
