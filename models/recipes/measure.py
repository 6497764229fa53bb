"""How well a model in the making finds right passages, on questions that it does not learn from.

Each question chooses among the sixteen candidates that look best by cosine and BM25; its right ones are among them only
where they look so good.
"""

from collections.abc import Callable

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from batches import NEAR_MISSES_MAX
from examples import BM25_SHARE, UNANSWERABLE
from packed import HEADINGS, RIGHTS_MAX, TEACHING, Asked, Packed
from timed import log

NEVER = -99.0
# Of questions and candidates by place, what a model makes of each candidate.
Scorer = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def best_looking(asked: Asked) -> tuple[torch.Tensor, torch.Tensor]:
    """The candidates that look best, and whether each is a right one."""
    looks = (asked.cosines + BM25_SHARE * asked.bm25).masked_fill(asked.candidates < 0, NEVER)
    columns = looks.topk(NEAR_MISSES_MAX, 1).indices
    candidates = asked.candidates.gather(1, columns)
    return candidates, (columns < RIGHTS_MAX) & (candidates >= 0)


def ordered_pairs(right: torch.Tensor, wrong: torch.Tensor) -> float:
    """Of pairs of an answered question and one that nothing answers, how many the best candidate's score orders rightly."""
    return (right[:, None] > wrong[None]).float().mean().item()


def measured(asked: Asked, scorer: Scorer) -> str:
    candidates, right = best_looking(asked)
    scores = scorer(asked.questions[:, 0], candidates)
    there = candidates >= 0
    loss = binary_cross_entropy_with_logits(scores[there], right[there].float()).item()
    scores = scores.masked_fill(~there, NEVER)
    answered = asked.rights > 0
    of = lambda mask: torch.tensor(mask, device=scores.device) & answered
    first = right.gather(1, scores.argmax(1, keepdim=True))[:, 0].float()
    third = right.gather(1, scores.topk(3, 1).indices).any(1).float()
    best, unanswerable = scores.max(1).values, torch.tensor(asked.styles == UNANSWERABLE, device=scores.device) & ~answered
    return (
        f"first {first[answered].mean():.3f} of three {third[answered].mean():.3f} "
        f"paraphrases {first[of(asked.styles == 'paraphrase')].mean():.3f} German {first[of(asked.languages == 'de')].mean():.3f} "
        f"ordered {ordered_pairs(best[answered], best[unanswerable]):.3f} log loss {loss:.3f}"
    )


def measure(name: str, packed: Packed, scorer: Scorer) -> None:
    for key, asked in packed.sets.items():
        if key not in (TEACHING, HEADINGS):
            log(name, key, measured(asked, scorer))
