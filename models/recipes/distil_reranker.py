"""Lessons of a re-ranker on a GPU: of a teacher, by which passage is right, and of the student, by what the teachers say.

A teacher learns as rerank.py has it, of 48 questions with sixteen candidates a step. The student learns the odds that the
teachers together give the candidates and "none of them" (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural
Network", 2015; of several models the mean of the log odds), and a little which one is right. Every fourth step it learns
their odds alone, of questions without a label and of general pairs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, kl_div, log_softmax, softmax

import bert
from packed import HEADINGS, RIGHTS_MAX, TEACHING, Asked, Packed, log_odds, log_odds_of_all
from rerank import BM25_WEIGHT, COSINE_WEIGHT, EACH_SHARE, UNANSWERED_SHARE, optimizer_of
from timed import descend, log, log_step, steps_within

QUESTIONS, CANDIDATES = 48, 16
GENERAL_EVERY, UNLABELLED_EVERY = 6, 4
# Of its time, what a model that has never seen question and passage together is held to cosine and BM25 for.
HELD_TIME = 0.3
# The share of a right passage in what the student learns.
RIGHT_SHARE = 0.3
# An easy candidate is one of the nearest of another question.
EASY_NEAREST = 4
# A step's pairs are run in so many parts of like length.
PARTS = 4
# Log odds of what is no candidate.
NEVER = -30.0


@dataclass(frozen=True)
class Plan:
    """A lesson: its time as a share of all lessons' together, and whether it is held to cosine and BM25 at first."""

    name: str
    share: float
    rate: float
    dropout: float
    seed: int
    held: bool = False


@dataclass
class Labels:
    """The teachers' log odds of every candidate: of the examples, of headings as questions, and of the general pairs."""

    teaching: torch.Tensor
    headings: torch.Tensor
    general: torch.Tensor


@dataclass
class Batch:
    """Questions and their candidates by place; whether the first one answers; the teachers' log odds; what cosine and BM25
    make of them. What is None teaches nothing."""

    questions: torch.Tensor
    candidates: torch.Tensor
    answered: torch.Tensor | None = None
    labels: torch.Tensor | None = None
    hints: torch.Tensor | None = None


def rounds(places: torch.Tensor, count: int, generator: torch.Generator) -> Iterator[torch.Tensor]:
    """So many of them at a time, each once a round, less what remains."""
    while True:
        drawn = places[torch.randperm(len(places), generator=generator, device=places.device)]
        yield from drawn.split(count)[: max(1, len(drawn) // count)]


class Draw:
    """The batches of a lesson."""

    def __init__(self, packed: Packed, plan: Plan, labels: Labels | None):
        self.packed, self.labels, self.held = packed, labels, plan.held
        self.generator = torch.Generator(device=packed.device).manual_seed(plan.seed)
        self.rounds = rounds(torch.arange(len(packed.sets[TEACHING]), device=packed.device), QUESTIONS, self.generator)

    def numbers(self, most: int, count: int = QUESTIONS) -> torch.Tensor:
        return torch.randint(most, (count,), generator=self.generator, device=self.packed.device)

    def shares(self, *shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=self.generator, device=self.packed.device)

    def columns(self, asked: Asked, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Near misses, the nearest drawn most often (Efraimidis and Spirakis, 2006), and first a right passage of those
        questions that are answered; and which ones are."""
        answered = (asked.rights[rows] > 0) & (self.shares(len(rows)) > UNANSWERED_SHARE)
        near = asked.candidates[rows][:, RIGHTS_MAX:]
        keys = self.shares(*near.shape) ** (2 + torch.arange(near.shape[1], device=near.device))
        columns = keys.masked_fill(near < 0, -1).topk(CANDIDATES, 1).indices + RIGHTS_MAX
        right = (self.shares(len(rows)) * asked.rights[rows]).long()
        columns[:, 0] = torch.where(answered, right, columns[:, 0])
        return columns, answered

    def easy(self, asked: Asked, otherwise: torch.Tensor) -> torch.Tensor:
        count = len(otherwise)
        found = asked.candidates[self.numbers(len(asked), count), RIGHTS_MAX + self.numbers(EASY_NEAREST, count)]
        return torch.where(found < 0, otherwise, found)[:, None]

    def examples(self) -> Batch:
        asked, rows = self.packed.sets[TEACHING], next(self.rounds)
        columns, answered = self.columns(asked, rows)
        candidates = asked.candidates[rows].gather(1, columns)
        question = asked.questions[rows, self.numbers(asked.questions.shape[1], len(rows))]
        if self.labels:
            return Batch(question, candidates, answered, self.labels.teaching[rows].gather(1, columns))
        looks = COSINE_WEIGHT * asked.cosines[rows] + BM25_WEIGHT * asked.bm25[rows]
        hints = looks.gather(1, columns)[:, :-1] if self.held else None
        candidates = torch.cat([candidates[:, :-1], self.easy(asked, candidates[:, -1])], 1)
        return Batch(question, candidates, answered, hints=hints)

    def headings(self, labels: Labels) -> Batch:
        asked = self.packed.sets[HEADINGS]
        rows = self.numbers(len(asked))
        near = asked.candidates.shape[1] - RIGHTS_MAX
        columns = self.shares(len(rows), near).topk(CANDIDATES, 1).indices + RIGHTS_MAX
        taught = labels.headings[rows].gather(1, columns)
        return Batch(asked.questions[rows, 0], asked.candidates[rows].gather(1, columns), labels=taught)

    def general(self) -> Batch:
        rows = self.numbers(len(self.packed.general))
        question, candidates = self.packed.general[rows], self.packed.general_candidates[rows]
        if self.labels:
            return Batch(question, candidates, labels=self.labels.general[rows])
        return Batch(question, candidates, torch.ones_like(question, dtype=torch.bool))

    def batch(self, step: int) -> Batch:
        if self.labels and step % UNLABELLED_EVERY == 0:
            return self.general() if step // UNLABELLED_EVERY % 2 else self.headings(self.labels)
        if not self.labels and step % GENERAL_EVERY == 0:
            return self.general()
        return self.examples()


def scores_of(model: bert.CrossEncoder, packed: Packed, batch: Batch) -> torch.Tensor:
    there = batch.candidates >= 0
    question = batch.questions[:, None].expand_as(there)[there]
    found = log_odds(model, packed, (question, batch.candidates[there]), -(-len(question) // PARTS))
    return torch.full(there.shape, NEVER, device=packed.device).masked_scatter(there, found)


def with_none(scores: torch.Tensor) -> torch.Tensor:
    """"None of them" before them, whose log odds are nought."""
    return torch.cat([torch.zeros_like(scores[:, :1]), scores], 1)


def by_right(scores: torch.Tensor, answered: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    right = torch.zeros_like(scores)
    right[answered, 0] = 1
    return cross_entropy(with_none(scores), answered.long()) + EACH_SHARE * binary_cross_entropy_with_logits(
        scores[there], right[there]
    )


def by_labels(scores: torch.Tensor, labels: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    known = torch.nan_to_num(labels, nan=NEVER)
    odds = kl_div(log_softmax(with_none(scores), 1), softmax(with_none(known), 1), reduction="batchmean")
    return odds + EACH_SHARE * binary_cross_entropy_with_logits(scores[there], torch.sigmoid(known[there]))


def loss_of(scores: torch.Tensor, batch: Batch, held: float) -> torch.Tensor:
    there = batch.candidates >= 0
    loss = torch.zeros((), device=scores.device)
    if batch.labels is not None:
        loss = loss + by_labels(scores, batch.labels, there)
    if batch.answered is not None:
        share = 1 if batch.labels is None else RIGHT_SHARE
        loss = loss + share * by_right(scores, batch.answered, there)
    if batch.hints is not None and held > 0:
        loss = loss + held * cross_entropy(scores[:, :-1], softmax(batch.hints, 1))
    return loss


def teach(
    model: bert.CrossEncoder, packed: Packed, plan: Plan, seconds: float, labels: Labels | None = None
) -> bert.CrossEncoder:
    torch.manual_seed(plan.seed)
    model.train()
    for layer in model.body.layers:
        layer.dropout.p = plan.dropout
    optimizer, draw, right = optimizer_of(model, plan.rate), Draw(packed, plan, labels), []
    for step, gone in steps_within(seconds, optimizer):
        batch = draw.batch(step)
        scores = scores_of(model, packed, batch)
        loss = loss_of(scores, batch, max(0, 1 - gone / HELD_TIME))
        descend(loss, model, optimizer)
        if batch.answered is not None:
            right.append((scores[batch.answered].argmax(1) == 0).float().mean().detach())
        log_step(plan.name, step, loss, right)
    log(plan.name, "steps", step)
    return model


def label(teachers: list[bert.CrossEncoder], packed: Packed) -> Labels:
    teaching, headings = packed.sets[TEACHING], packed.sets[HEADINGS]
    return Labels(
        together(teachers, packed, teaching.questions[:, 0], teaching.candidates),
        together(teachers, packed, headings.questions[:, 0], headings.candidates),
        together(teachers, packed, packed.general, packed.general_candidates),
    )


def together(
    teachers: list[bert.CrossEncoder], packed: Packed, question: torch.Tensor, candidates: torch.Tensor
) -> torch.Tensor:
    """The mean of the teachers' log odds (questions, candidates)."""
    return torch.stack([log_odds_of_all(model, packed, question, candidates) for model in teachers]).mean(0)
