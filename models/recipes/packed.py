"""What a GPU learns from, on the GPU as a whole: the packed file of pack.py, and batches cut out of it without a detour.

In the file stand the tokens of all distinct passages and of all questions, one text after the other, and of every set of
questions a table of candidates: the places of up to four right passages, then those of the near misses, -1 where there are
fewer, with their BM25 and cosine.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

import bert
from rerank import PASSAGE_TOKENS_MAX, SEPARATOR, START

# Columns of a table that right passages take, before the near misses.
RIGHTS_MAX = 4
TEACHING, HEADINGS = "teaching", "headings"
TABLES = ("questions", "candidates", "rights", "bm25", "cosines")
# Pairs read in one go where nothing is learned, and in one block of like lengths.
READ_AT_ONCE, READ_BLOCK = 4096, 65536


@dataclass
class Texts:
    """Token ids, and the number of each one's sentence or -1; where each text starts and how long it is."""

    tokens: torch.Tensor
    sentences: torch.Tensor | None
    starts: torch.Tensor
    lengths: torch.Tensor

    def at(self, place: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        """Where among the tokens stand these positions of the texts; any place where the text does not reach."""
        return (self.starts[place][:, None] + position).clamp(0, len(self.tokens) - 1)


@dataclass
class Asked:
    """A set of questions: places of their wordings (questions, wordings) and of their candidates (questions, candidates),
    number of right ones among the first four, BM25 and cosine of each; style and language for what is measured."""

    questions: torch.Tensor
    candidates: torch.Tensor
    rights: torch.Tensor
    bm25: torch.Tensor
    cosines: torch.Tensor
    styles: np.ndarray
    languages: np.ndarray

    def __len__(self) -> int:
        return len(self.rights)

    def only(self, kept: torch.Tensor) -> "Asked":
        tables = {name: getattr(self, name)[kept] for name in TABLES}
        return replace(self, **tables, styles=self.styles[kept.cpu().numpy()], languages=self.languages[kept.cpu().numpy()])


@dataclass
class Packed:
    passages: Texts
    questions: Texts
    sets: dict[str, Asked]
    # The general pairs: places of the questions, and of their passages (pairs, passages), the right one first.
    general: torch.Tensor
    general_candidates: torch.Tensor
    device: torch.device


def read(path: Path, device: torch.device) -> Packed:
    found = dict(np.load(path))
    kind = lambda name: np.float32 if found[name].dtype == np.float16 else np.int64
    put = lambda name: torch.tensor(found[name].astype(kind(name)), device=device)

    def texts(name: str) -> Texts:
        starts = put(f"{name}_starts")
        sentences = put(f"{name}_sentences") if f"{name}_sentences" in found else None
        return Texts(put(f"{name}_tokens"), sentences, starts[:-1], starts[1:] - starts[:-1])

    def asked(name: str) -> Asked:
        tables = {table: put(f"{name}/{table}") for table in TABLES}
        return Asked(**tables, styles=found[f"{name}/styles"], languages=found[f"{name}/languages"])

    sets = {name: asked(name) for name in dict.fromkeys(key.split("/")[0] for key in found if "/" in key)}
    general = put("general_questions"), put("general_candidates")
    return Packed(texts("passages"), texts("questions"), sets, *general, device)


def placed(start: int, texts: Texts, place: torch.Tensor, position: torch.Tensor, length: torch.Tensor) -> tuple:
    """Where the texts' own tokens stand when they begin at `start`, and which ones."""
    inside = (position >= start) & (position < start + length)
    return inside, texts.tokens[texts.at(place, position - start)]


def pair_batch(packed: Packed, question: torch.Tensor, passage: torch.Tensor) -> list[torch.Tensor]:
    """Ids, mask and types of questions and passages, as one text each."""
    first, second = packed.questions.lengths[question][:, None], packed.passages.lengths[passage][:, None]
    second = second.clamp(max=PASSAGE_TOKENS_MAX)
    ends = first + second + 2
    position = torch.arange(int(ends.max()) + 1, device=packed.device)[None]
    in_question, question_ids = placed(1, packed.questions, question, position, first)
    in_passage, passage_ids = placed(first + 2, packed.passages, passage, position, second)
    ids = torch.where(in_question, question_ids, 0) + torch.where(in_passage, passage_ids, 0)
    ids = torch.where(position == 0, START, torch.where((position == first + 1) | (position == ends), SEPARATOR, ids))
    return [ids, (position <= ends).float(), ((position >= first + 2) & (position <= ends)).long()]


def text_batch(packed: Packed, texts: Texts, place: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids and mask of texts by themselves, and the number of each token's sentence, or -1."""
    length = texts.lengths[place][:, None]
    position = torch.arange(int(length.max()) + 2, device=packed.device)[None]
    inside, ids = placed(1, texts, place, position, length)
    ids = torch.where(position == 0, START, torch.where(position == length + 1, SEPARATOR, torch.where(inside, ids, 0)))
    sentences = -torch.ones_like(ids)
    if texts.sentences is not None:
        sentences = torch.where(inside, texts.sentences[texts.at(place, position - 1)], -1)
    return ids, (position <= length + 1).float(), sentences


def log_odds(model: bert.CrossEncoder, packed: Packed, pairs: tuple[torch.Tensor, torch.Tensor], size: int) -> torch.Tensor:
    """Of questions and passages, pair by pair; `size` pairs of like length at a time."""
    question, passage = pairs
    order = torch.argsort(packed.questions.lengths[question] + packed.passages.lengths[passage].clamp(max=PASSAGE_TOKENS_MAX))
    found = []
    for part in order.split(size):
        with torch.autocast(packed.device.type, dtype=torch.bfloat16):
            found.append(model(*pair_batch(packed, question[part], passage[part]))[:, 0].float())
    return torch.cat(found)[order.argsort()]


@torch.no_grad()
def log_odds_of_all(model: bert.CrossEncoder, packed: Packed, question: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
    """(questions, candidates), not a number where there is no candidate."""
    was_learning = model.training
    model.eval()
    asked, passage = question[:, None].expand_as(candidates).reshape(-1), candidates.reshape(-1)
    found = torch.full(passage.shape, float("nan"), device=packed.device)
    for block in (passage >= 0).nonzero()[:, 0].split(READ_BLOCK):
        found[block] = log_odds(model, packed, (asked[block], passage[block]), READ_AT_ONCE)
    model.train(was_learning)
    return found.view_as(candidates)
