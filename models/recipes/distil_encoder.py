"""The lesson of the encoder on a GPU: as teach.py has it, and by what the teachers of the re-ranker say.

A cross-encoder knows better than vectors what answers, and vectors are compared at a thousandth of its cost: so its odds of the
passages, softened, are what cosine, MaxSim, best sentence and the learned sum are each held to (Hofstätter et al., "Improving
Efficient Neural Ranking Models with Cross-Architecture Knowledge Distillation", 2020; here by the Kullback-Leibler divergence
of Hinton et al., 2015, in place of margins). All layers learn, of 64 questions with seven near misses a step, and only what is
answered; tables stay. Every sixth step asks general pairs, every fourth holds the vectors to the encoder's own before.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy, kl_div, log_softmax, normalize, one_hot, softmax

import bert
from batches import NEAR_MISSES_MAX
from distil_reranker import rounds
from measure import measure
from packed import RIGHTS_MAX, TEACHING, Packed, Texts, text_batch
from teach import (
    FIRST_WEIGHTS,
    SCALE,
    SENTENCE_SHARE,
    SENTENCE_TOKENS_LEAST,
    TEACHER_EVERY,
    TEACHER_SHARE,
    WEIGHT_DECAY,
    WEIGHTS_RATE,
    Similarities,
    States,
)
from timed import descend, log, log_step, steps_within

QUESTIONS, CANDIDATES, RATE, SEED = 64, 8, 4e-5, 7
GENERAL_EVERY, PARTS = 6, 4
SENTENCES_MAX = 24
# The teachers' log odds are cut at this and divided by the temperature.
LABEL_MOST, TEMPERATURE, LABEL_SHARE = 12.0, 1.5, 0.7
# Where the same passage stands twice in a batch, it is no wrong one.
NEVER = -1e4
MEASURED_AT_ONCE = 128


@dataclass
class Read:
    """Of questions with their candidates: the similarities, and the mean vectors of both."""

    found: Similarities
    questions: torch.Tensor
    passages: torch.Tensor


@dataclass
class Batch:
    """Questions and their candidates by place, the right one first; BM25 and the teachers' log odds where known."""

    questions: torch.Tensor
    candidates: torch.Tensor
    bm25: torch.Tensor | None = None
    labels: torch.Tensor | None = None


def states_of(model: bert.Bert, packed: Packed, texts: Texts, place: torch.Tensor) -> tuple[States, torch.Tensor]:
    """With the number of each token's sentence."""
    ids, mask, sentences = text_batch(packed, texts, place)
    with torch.autocast(packed.device.type, dtype=torch.bfloat16):
        return States(model(ids, mask, torch.zeros_like(ids)).float(), mask), sentences


def best_sentence(question: torch.Tensor, states: States, sentences: torch.Tensor, cosine: torch.Tensor) -> torch.Tensor:
    """Of every passage with its own question: the cosine with the best sentence, or with all of it where all are too short."""
    own = (sentences >= 0) & (sentences < SENTENCES_MAX)
    member = one_hot(sentences.clamp(0, SENTENCES_MAX - 1), SENTENCES_MAX).float() * own[..., None]
    means = normalize(torch.einsum("pts,ptw->psw", member, states.hidden), dim=-1)
    found = torch.einsum("pw,psw->ps", question, means)
    best = found.masked_fill(member.sum(1) < SENTENCE_TOKENS_LEAST, -1).max(1).values
    return torch.where(best > -1, best, cosine)


def max_sim(tokens: torch.Tensor, mask: torch.Tensor, states: States) -> torch.Tensor:
    """Of every passage with the unit vectors of its own question's tokens."""
    cosine = torch.einsum("pqw,ptw->pqt", tokens, normalize(states.hidden, dim=-1))
    best = cosine.masked_fill((states.mask == 0)[:, None], -1).max(2).values
    return (best * mask).sum(1) / mask.sum(1).clamp(min=1)


def read(model: bert.Bert, packed: Packed, question: torch.Tensor, candidates: torch.Tensor) -> Read:
    """The passages are run in parts of like length, so that little of the work goes into padding."""
    asked, _ = states_of(model, packed, packed.questions, question)
    means, tokens = asked.means(), normalize(asked.hidden[:, 1:], dim=-1)
    mask = (torch.arange(tokens.shape[1], device=packed.device) < packed.questions.lengths[question][:, None]).float()
    passage = candidates.reshape(-1)
    order = torch.argsort(packed.passages.lengths[passage])
    parts = []
    for part in order.split(-(-len(order) // PARTS)):
        own = part // candidates.shape[1]
        states, sentences = states_of(model, packed, packed.passages, passage[part])
        vectors = states.means()
        cosine = (vectors * means[own]).sum(1)
        by_sentence = best_sentence(means[own], states, sentences, cosine)
        parts.append((cosine, max_sim(tokens[own], mask[own], states), by_sentence, vectors))
    *found, vectors = (torch.cat(part)[order.argsort()] for part in zip(*parts))
    return Read(Similarities(*(part.view_as(candidates) for part in found)), means, vectors)


class Lesson:
    """The encoder, what it was before, and the weights of the learned sum; one call is the loss of one batch."""

    def __init__(self, folder: Path, packed: Packed, labels: torch.Tensor):
        self.packed, self.labels = packed, labels
        self.model = bert.load(folder).to(packed.device).train()
        self.before = bert.load(folder).to(packed.device).eval().requires_grad_(False)
        for table in (self.model.word, self.model.position, self.model.kind):
            table.requires_grad_(False)
        for layer in [*self.model.layers, *self.before.layers]:
            layer.fused = True
        self.weights = torch.nn.Parameter(torch.tensor(FIRST_WEIGHTS, device=packed.device))
        self.generator = torch.Generator(device=packed.device).manual_seed(SEED)
        answered = (packed.sets[TEACHING].rights > 0).nonzero()[:, 0]
        self.rounds = rounds(answered, QUESTIONS, self.generator)
        self.right: list[torch.Tensor] = []

    def optimizer(self) -> torch.optim.Optimizer:
        learned = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        weights = {"params": [self.weights], "lr": WEIGHTS_RATE, "weight_decay": 0}
        return torch.optim.AdamW([{"params": learned}, weights], lr=RATE, weight_decay=WEIGHT_DECAY)

    def numbers(self, most: int, count: int) -> torch.Tensor:
        return torch.randint(most, (count,), generator=self.generator, device=self.packed.device)

    def filled(self, candidates: torch.Tensor) -> torch.Tensor:
        """Where there are too few, the right passage of another question."""
        return torch.where(candidates < 0, candidates[:, :1].roll(1, 0), candidates)

    def general(self) -> Batch:
        rows = self.numbers(len(self.packed.general), QUESTIONS)
        return Batch(self.packed.general[rows], self.filled(self.packed.general_candidates[rows, :CANDIDATES]))

    def examples(self) -> Batch:
        asked, rows = self.packed.sets[TEACHING], next(self.rounds)
        near = asked.candidates[rows][:, RIGHTS_MAX : RIGHTS_MAX + NEAR_MISSES_MAX]
        keys = torch.rand(near.shape, generator=self.generator, device=near.device).masked_fill(near < 0, -1)
        columns = keys.topk(CANDIDATES, 1).indices + RIGHTS_MAX
        shares = torch.rand(len(rows), generator=self.generator, device=near.device)
        columns[:, 0] = (shares * asked.rights[rows]).long()
        of = lambda table: table[rows].gather(1, columns)
        question = asked.questions[rows, self.numbers(asked.questions.shape[1], len(rows))]
        return Batch(question, self.filled(of(asked.candidates)), of(asked.bm25), of(self.labels))

    def contrasts(self, batch: Batch, read: Read) -> torch.Tensor:
        """Of the right passage: by mean vectors among all of the batch, by MaxSim and best sentence among the question's."""
        count, width = batch.candidates.shape
        right = torch.arange(count, device=self.packed.device) * width
        again = batch.candidates.reshape(-1)[None] == batch.candidates[:, :1]
        again[torch.arange(count, device=self.packed.device), right] = False
        first = torch.zeros_like(right)
        in_batch = (read.questions @ read.passages.T * SCALE).masked_fill(again, NEVER)
        by_sentence = cross_entropy(read.found.sentence * SCALE, first)
        return cross_entropy(in_batch, right) + cross_entropy(read.found.max_sim * SCALE, first) + SENTENCE_SHARE * by_sentence

    def by_labels(self, batch: Batch, found: Similarities) -> torch.Tensor:
        parts = [found.cosine, found.max_sim, found.sentence]
        summed = torch.stack([*parts, batch.bm25], -1) @ self.weights
        self.right.append((summed.argmax(1) == 0).float().mean().detach())
        known = torch.nan_to_num(batch.labels, nan=-LABEL_MOST).clamp(-LABEL_MOST, LABEL_MOST)
        odds = softmax(known / TEMPERATURE, 1)
        apart = lambda scores: kl_div(log_softmax(scores, 1), odds, reduction="batchmean")
        held = sum(apart(scores) for scores in [*(part * SCALE for part in parts), summed])
        return cross_entropy(summed, torch.zeros_like(batch.questions)) + LABEL_SHARE * held

    def distance_to_before(self, batch: Batch, read: Read) -> torch.Tensor:
        with torch.no_grad():
            expected = states_of(self.before, self.packed, self.packed.passages, batch.candidates[:, 0])[0].means()
        return (1 - (read.passages.unflatten(0, batch.candidates.shape)[:, 0] * expected).sum(1)).mean()

    def __call__(self, step: int) -> torch.Tensor:
        batch = self.general() if step % GENERAL_EVERY == 0 else self.examples()
        found = read(self.model, self.packed, batch.questions, batch.candidates)
        loss = self.contrasts(batch, found)
        if batch.labels is not None:
            loss = loss + self.by_labels(batch, found.found)
        if step % TEACHER_EVERY == 0:
            loss = loss + TEACHER_SHARE * self.distance_to_before(batch, found)
        return loss

    @torch.no_grad()
    def scores(self, part: str, questions: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        parts = zip(questions.split(MEASURED_AT_ONCE), candidates.clamp(min=0).split(MEASURED_AT_ONCE))
        return torch.cat([getattr(read(self.model, self.packed, *each).found, part) for each in parts])

    def measure(self, name: str) -> None:
        self.model.eval()
        for part in ("cosine", "max_sim", "sentence"):
            measure(f"{name} {part}", self.packed, partial(self.scores, part))
        self.model.train()


def teach(folder: Path, packed: Packed, labels: torch.Tensor, seconds: float) -> bert.Bert:
    """The encoder of the folder, taught for so long; `labels` are the teachers' log odds of the examples' candidates."""
    torch.manual_seed(SEED)
    lesson = Lesson(folder, packed, labels)
    lesson.measure("encoder before")
    optimizer = lesson.optimizer()
    for step, _ in steps_within(seconds, optimizer):
        loss = lesson(step)
        descend(loss, lesson.model, optimizer)
        log_step("encoder", step, loss, lesson.right)
    log("encoder steps", step, "weights", [round(weight, 1) for weight in lesson.weights.tolist()])
    lesson.measure("encoder")
    return lesson.model
