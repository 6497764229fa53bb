"""Teaches MiniLM to tell a question's right passage from its near misses, in the ways the service compares them.

teach.py OUT --pages PAGES.jsonl --examples EXAMPLES.jsonl --general PAIRS.jsonl.zst [--steps 1035] [--threads 2]
         [--weights FOLDER --frozen LAYERS --no-teacher --rate RATE]

PAGES and EXAMPLES are described in examples.py. A line of PAIRS (`.jsonl`, or `.jsonl.zst` where the command `zstd` is
installed) has `query`, `passage`, `source` and `page`. OUT gets config.json and model.safetensors after every 400 steps
and at the end; export.py --weights OUT makes a model's folder of them.

Losses, each a cross entropy of the right passage:
- the cosine of mean vectors, among all passages of the batch (in-batch negatives, Karpukhin et al., EMNLP 2020);
- MaxSim, among the question's own passages (Khattab and Zaharia, "ColBERT", SIGIR 2020);
- the cosine with the best sentence's mean vector, likewise;
- a learned sum of the three and BM25, likewise, so that the model learns what words alone do not tell.
Every eighth step asks general pairs, and every fourth holds the vectors to those of the original model, the teacher, so
that what it knew is kept. The embedding tables stay as they are. --weights goes on from a model that was taught before,
--frozen leaves its lowest layers as they are, which costs half, and --no-teacher lets it go where the examples lead.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from torch.nn.functional import cross_entropy, normalize, one_hot, pad

import bert
from batches import NEAR_MISSES_MAX, Batch, Examples, General, Reader, Text
from examples import read_pages
from export import source_folder

STEPS, SEED, THREADS, GROUPS, NEAR_MISSES = 1035, 3, 2, 12, 4
RATE, WEIGHTS_RATE, WEIGHT_DECAY = 3e-5, 0.02, 0.01
WARM_UP_STEPS, LEAST_RATE = 60, 0.02
GRADIENT_NORM_MAX = 1.0
SCALE, SENTENCE_SHARE = 20, 0.7
# Of cosine, MaxSim, best sentence and BM25 in the learned sum, to start with.
FIRST_WEIGHTS = [10.0, 10.0, 10.0, 6.0]
SENTENCE_TOKENS_LEAST = 3
GENERAL_EVERY, TEACHER_EVERY = 8, 4
TEACHER_SHARE, GENERAL_TEACHER_SHARE = 1, 4
LOG_EVERY, LOG_MEAN_OF, SAVE_EVERY = 25, 80, 400
# More texts than this are padded in three parts of like length.
UNSORTED_MAX, PARTS = 30, 3


@dataclass
class States:
    """Last hidden states (texts, tokens, width), with the mask of tokens (texts, tokens)."""

    hidden: torch.Tensor
    mask: torch.Tensor

    def means(self) -> torch.Tensor:
        summed = (self.hidden * self.mask[..., None]).sum(1)
        return normalize(summed / self.mask.sum(1, keepdim=True), dim=-1)


@dataclass
class Similarities:
    """Of every question with its own passages, the right one first: (questions, passages)."""

    cosine: torch.Tensor
    max_sim: torch.Tensor
    sentence: torch.Tensor


def padded_states(model: bert.Bert, rows: list[list[int]]) -> States:
    length = max(map(len, rows))
    ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    mask = torch.tensor([[1.0] * len(row) + [0.0] * (length - len(row)) for row in rows])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = model(ids, mask, torch.zeros_like(ids)).float()
    return States(hidden, mask)


def states_of(model: bert.Bert, rows: list[list[int]]) -> States:
    """Many texts are run in parts of like length, so that little of the work goes into padding."""
    if len(rows) <= UNSORTED_MAX:
        return padded_states(model, rows)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    size, length = -(-len(rows) // PARTS), max(map(len, rows))
    hidden, mask = [], []
    for at in range(0, len(rows), size):
        part = padded_states(model, [rows[place] for place in order[at : at + size]])
        missing = length - part.mask.shape[1]
        hidden.append(pad(part.hidden, (0, 0, 0, missing)))
        mask.append(pad(part.mask, (0, missing)))
    back = torch.tensor(order).argsort()
    return States(torch.cat(hidden)[back], torch.cat(mask)[back])


def sentence_means(states: States, passages: list[Text]) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean vector (passages, sentences, width) and number of tokens (passages, sentences) of every sentence."""
    number = torch.full(states.mask.shape, -1, dtype=torch.long)
    for at, passage in enumerate(passages):
        number[at, : len(passage.sentences)] = torch.tensor(passage.sentences)
    member = one_hot(number.clamp(min=0), max(1, int(number.max()) + 1)).float() * (number >= 0)[..., None]
    tokens = member.sum(1)
    summed = torch.einsum("pts,ptw->psw", member, states.hidden)
    return normalize(summed / tokens.clamp(min=1)[..., None], dim=-1), tokens


def max_sim(question: States, passages: States) -> torch.Tensor:
    """The mean over a question's tokens, less the two at its ends, of each one's cosine with the most similar token."""
    tokens = question.hidden[question.mask > 0]
    tokens = normalize(tokens[1:-1] if len(tokens) > 2 else tokens[:1], dim=-1)
    cosine = torch.einsum("qw,ptw->pqt", tokens, normalize(passages.hidden, dim=-1))
    return cosine.masked_fill((passages.mask == 0)[:, None, :], -1).max(2).values.mean(1)


def best_sentence(
    question: torch.Tensor, means: torch.Tensor, tokens: torch.Tensor, cosine: torch.Tensor
) -> torch.Tensor:
    """The cosine with the best sentence, or that with the whole passage where every sentence is too short."""
    found = torch.einsum("w,psw->ps", question, means).masked_fill(tokens < SENTENCE_TOKENS_LEAST, -1).max(1).values
    return torch.where(found > -1, found, cosine)


def similarities(questions: States, passages: States, texts: list[Text]) -> Similarities:
    count = len(questions.mask)
    question_means = questions.means()
    cosine = torch.einsum("qw,qpw->qp", question_means, passages.means().unflatten(0, (count, -1)))
    sentences, tokens = (found.unflatten(0, (count, -1)) for found in sentence_means(passages, texts))
    hidden, mask = passages.hidden.unflatten(0, (count, -1)), passages.mask.unflatten(0, (count, -1))
    own = lambda at: States(questions.hidden[at], questions.mask[at])
    best = lambda at: best_sentence(question_means[at], sentences[at], tokens[at], cosine[at])
    return Similarities(
        cosine,
        torch.stack([max_sim(own(at), States(hidden[at], mask[at])) for at in range(count)]),
        torch.stack([best(at) for at in range(count)]),
    )


def contrasts(questions: States, passages: States, found: Similarities) -> list[torch.Tensor]:
    """Cross entropies of the right passage: by mean vectors among all of the batch, by MaxSim and by the best sentence
    among the question's own."""
    count = len(questions.mask)
    right_in_batch = torch.arange(count) * (len(passages.mask) // count)
    first = torch.zeros(count, dtype=torch.long)
    return [
        cross_entropy(questions.means() @ passages.means().T * SCALE, right_in_batch),
        cross_entropy(found.max_sim * SCALE, first),
        cross_entropy(found.sentence * SCALE, first),
    ]


def rate_of(steps: int, least: float):
    """The share of the full rate at a step: up while warming up, then down to the least."""
    return lambda step: min(1, (step + 1) / WARM_UP_STEPS) * max(least, 1 - step / steps)


def parse_lesson(parser: argparse.ArgumentParser, steps: int, rate: float, seed: int, threads: int) -> argparse.Namespace:
    """The recipe's arguments, and those of every recipe with these defaults; torch draws and computes by them from here on."""
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--threads", type=int, default=threads)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    return args


class Lesson:
    """The model, its teacher and the weights of the learned sum; one call is the loss of one batch."""

    def __init__(self, weights: Path, frozen: int):
        self.model = bert.load(weights).train()
        self.teacher = bert.load(source_folder()).eval().requires_grad_(False)
        for table in (self.model.word, self.model.position, self.model.kind):
            table.requires_grad_(False)
        if frozen:
            self.model.norm.requires_grad_(False)
        for layer in self.model.layers[:frozen]:
            layer.requires_grad_(False)
        self.weights = torch.nn.Parameter(torch.tensor(FIRST_WEIGHTS))
        self.seen: list[list[float]] = []

    def optimizer(self, rate: float) -> torch.optim.Optimizer:
        learned = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        weights = {"params": [self.weights], "lr": WEIGHTS_RATE, "weight_decay": 0}
        return torch.optim.AdamW([{"params": learned}, weights], lr=rate, weight_decay=WEIGHT_DECAY)

    def learned_sum(self, found: Similarities, bm25: torch.Tensor) -> torch.Tensor:
        parts = torch.stack([found.cosine, found.max_sim, found.sentence, bm25], -1)
        return parts @ self.weights

    def distance_to_teacher(self, batch: Batch, passages: States) -> torch.Tensor:
        """One less the mean cosine of some passages' vectors with the original model's."""
        count = len(batch.queries)
        with torch.no_grad():
            expected = states_of(self.teacher, [text.ids for text in batch.passages[:count]]).means()
        return (1 - (passages.means()[:count] * expected).sum(1)).mean()

    def __call__(self, batch: Batch, with_teacher: bool) -> torch.Tensor:
        questions = states_of(self.model, batch.queries)
        passages = states_of(self.model, [text.ids for text in batch.passages])
        found = similarities(questions, passages, batch.passages)
        in_batch, by_max_sim, by_sentence = contrasts(questions, passages, found)
        loss = in_batch + by_max_sim + SENTENCE_SHARE * by_sentence
        if batch.bm25 is not None:
            scores = self.learned_sum(found, batch.bm25)
            by_sum = cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))
            loss = loss + by_sum
            hits = (scores.argmax(1) == 0).float().mean()
            self.seen.append([value.item() for value in (by_max_sim, by_sentence, by_sum, hits)])
        if with_teacher:
            share = GENERAL_TEACHER_SHARE if batch.bm25 is None else TEACHER_SHARE
            loss = loss + share * self.distance_to_teacher(batch, passages)
        return loss

    def report(self, step: int) -> None:
        recent = torch.tensor(self.seen[-LOG_MEAN_OF:]).mean(0).tolist()
        named = zip(("MaxSim", "sentence", "sum", "right"), recent)
        weights = " ".join(f"{weight:.1f}" for weight in self.weights.tolist())
        print(step, *(f"{name} {value:.3f}" for name, value in named), "weights", weights, flush=True)


def teach(lesson: Lesson, examples: Examples, general: General, args: argparse.Namespace) -> None:
    optimizer = lesson.optimizer(args.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate_of(args.steps, LEAST_RATE))
    for step in range(1, args.steps + 1):
        source = general if step % GENERAL_EVERY == 0 else examples
        loss = lesson(source.batch(args.groups, args.near), with_teacher=args.teacher and step % TEACHER_EVERY == 0)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(lesson.model.parameters(), GRADIENT_NORM_MAX)
        optimizer.step()
        schedule.step()
        if step % LOG_EVERY == 0 or step == args.steps:
            lesson.report(step)
        if step % SAVE_EVERY == 0 or step == args.steps:
            bert.save(lesson.model, args.out)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", type=Path, required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--general", type=Path, required=True)
    parser.add_argument("--groups", type=int, default=GROUPS, help="questions a step")
    parser.add_argument("--near", type=int, default=NEAR_MISSES, choices=range(1, NEAR_MISSES_MAX + 1), metavar="COUNT")
    parser.add_argument("--weights", type=Path, help="a model's folder to go on from, in place of the original's")
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that stay as they are")
    parser.add_argument("--no-teacher", dest="teacher", action="store_false")
    args = parse_lesson(parser, STEPS, RATE, SEED, THREADS)
    random, reader = Random(args.seed), Reader(read_pages(args.pages))
    examples, general = Examples(args.examples, reader, random), General(args.general, reader, random)
    counts = {name: len(pages) for name, pages in general.by_source.items()}
    print(len(examples.rows), "examples; general pages:", counts)
    teach(Lesson(args.weights or source_folder(), args.frozen), examples, general, args)


if __name__ == "__main__":
    main()
