"""Teaches a re-ranker, which reads a question and a passage as one (a cross-encoder: Nogueira and Cho, 2019).

rerank.py OUT --weights FOLDER --pages PAGES.jsonl [MORE.jsonl ...] --examples EXAMPLES.jsonl [MORE.jsonl ...]
          --general PAIRS.jsonl.zst [--steps 3200] [--threads 1] [--dropout 0.0]

FOLDER is a taught encoder's (`config.json`, `model.safetensors`, `tokenizer.json`), with whose weights it begins, or that of
a re-ranker to go on from. PAGES, EXAMPLES and PAIRS are those of examples.py (with --unanswerable) and teach.py. OUT gets
the same files after every 250 steps and at the end; export.py --weights OUT makes a model's folder of them.

A question is asked of one right passage and seven near misses, or, for a fifth of the questions and for those that nothing
answers, of eight near misses. Losses:
- a cross entropy over the eight and "none of them", whose log odds are nought: so that the log odds tell not only which
  passage is best but whether it answers at all;
- a binary cross entropy of each;
- at first, falling to nothing over 700 steps, the cross entropy with what cosine and BM25 say: an encoder that has never
  seen question and passage together learns from it within minutes to hold the one against the other.
One or two of the near misses are passages of other questions. Every eighth step asks general pairs. The tables of words and
positions stay as they are.
"""

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from shutil import copyfile

import torch
from tokenizers import Tokenizer
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, softmax

import bert
from batches import NEAR_MISSES_MAX, general_pages, reworded
from examples import TEXT_CHARACTERS, Page, read_lines, read_pages
from teach import GRADIENT_NORM_MAX, WEIGHT_DECAY, parse_lesson, rate_of

STEPS, SEED, THREADS, QUESTIONS, CANDIDATES = 3200, 1, 1, 12, 8
RATE, HEAD_RATE_TIMES, LEAST_RATE = 1e-4, 3, 0.02
QUERY_TOKENS_MAX, PASSAGE_TOKENS_MAX = 64, 220
UNANSWERED_SHARE, EACH_SHARE = 0.2, 0.5
# What cosine and BM25 weigh in what the first steps are held to, and for how many steps.
COSINE_WEIGHT, BM25_WEIGHT, HELD_STEPS = 12, 5, 700
EASY_AT_FIRST, EASY_AT_FIRST_STEPS, EASY = 2, 500, 1
GENERAL_EVERY, SAVE_EVERY, LOG_EVERY, LOG_MEAN_OF = 8, 250, 25, 100
# A step's pairs are run in so many parts of like length, so that little of the work goes into padding.
PARTS = 8
START, SEPARATOR = 101, 102


@dataclass
class Pairs:
    """Token ids of questions with their candidates in a row, and where the passage begins in each; of every question whether
    its first candidate answers; what cosine and BM25 make of them, where known."""

    ids: list[list[int]] = field(default_factory=list)
    seconds: list[int] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)
    held: list[list[float]] = field(default_factory=list)

    def add(self, query: list[int], passages: list[list[int]], answered: bool) -> None:
        for passage in passages:
            self.ids.append([START, *query, SEPARATOR, *passage, SEPARATOR])
            self.seconds.append(len(query) + 2)
        self.answered.append(answered)


class Reader:
    def __init__(self, pages: dict[str, Page], folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.pages = pages
        self.read: dict[tuple[str, int], list[int]] = {}

    def tokens(self, text: str, most: int) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids[:most]

    def passage(self, page: str, at: int) -> list[int]:
        if (page, at) not in self.read:
            self.read[page, at] = self.tokens(self.pages[page].input_text(at)[0], PASSAGE_TOKENS_MAX)
        return self.read[page, at]


class Examples:
    """Every example once an epoch, with near misses of which the nearest are drawn most often."""

    def __init__(self, paths: list[Path], reader: Reader, random: Random):
        self.rows = [row for path in paths for row in read_lines(path) if row["near"]]
        self.reader, self.random = reader, random
        self.order: list[int] = []

    def drawn(self, near: list[list], count: int) -> list[list]:
        """Without putting back, by falling rank (Efraimidis and Spirakis, 2006)."""
        keys = [self.random.random() ** (2 + rank) for rank in range(len(near))]
        order = sorted(range(len(near)), key=lambda at: -keys[at])
        found = [near[at] for at in order[:count]]
        return found + [self.random.choice(near) for _ in range(count - len(found))]

    def easy(self) -> list:
        page, at, *_ = self.random.choice(self.random.choice(self.rows)["near"])
        return [page, at, 0.0, 0.05]

    def candidates(self, row: dict, easy: int) -> tuple[list[list], bool]:
        near = self.drawn(row["near"][: NEAR_MISSES_MAX + 4], CANDIDATES - easy) + [self.easy() for _ in range(easy)]
        if row["right"] and self.random.random() > UNANSWERED_SHARE:
            return [self.random.choice(row["right"]), *near[: -easy - 1], *near[CANDIDATES - easy :]], True
        return near, False

    def batch(self, easy: int) -> Pairs:
        pairs = Pairs()
        for _ in range(QUESTIONS):
            if not self.order:
                self.order = self.random.sample(range(len(self.rows)), len(self.rows))
            row = self.rows[self.order.pop()]
            places, answered = self.candidates(row, easy)
            query = self.reader.tokens(reworded(row["query"], row["lang"], self.random), QUERY_TOKENS_MAX)
            pairs.add(query, [self.reader.passage(page, at) for page, at, *_ in places], answered)
            pairs.held.append([COSINE_WEIGHT * cosine + BM25_WEIGHT * bm25 for *_, bm25, cosine in places])
        return pairs


class General:
    """General pairs, every source as often as any other, with wrong passages of the same page."""

    def __init__(self, path: Path, reader: Reader, random: Random):
        self.by_source, self.reader, self.random = general_pages(path), reader, random

    def batch(self) -> Pairs:
        pairs = Pairs()
        for _ in range(QUESTIONS):
            page = self.random.choice(self.by_source[self.random.choice(list(self.by_source))])
            pair = self.random.choice(page)
            wrong = list({other["passage"]: None for other in page if other["passage"] != pair["passage"]})
            self.random.shuffle(wrong)
            wrong = (wrong * CANDIDATES)[: CANDIDATES - 1]
            texts = [text[:TEXT_CHARACTERS] for text in [pair["passage"], *wrong]]
            query = self.reader.tokens(pair["query"], QUERY_TOKENS_MAX)
            pairs.add(query, [self.reader.tokens(text, PASSAGE_TOKENS_MAX) for text in texts], True)
        return pairs


def log_odds(model: bert.CrossEncoder, pairs: Pairs) -> torch.Tensor:
    """(questions, candidates)"""
    order = sorted(range(len(pairs.ids)), key=lambda at: len(pairs.ids[at]))
    size = -(-len(order) // PARTS)
    found = []
    for start in range(0, len(order), size):
        part = order[start : start + size]
        length = max(len(pairs.ids[at]) for at in part)
        filled = lambda at, row: row + [0] * (length - len(row))
        ids = torch.tensor([filled(at, pairs.ids[at]) for at in part])
        mask = torch.tensor([filled(at, [1.0] * len(pairs.ids[at])) for at in part])
        types = torch.tensor([filled(at, [0] * pairs.seconds[at] + [1] * (len(pairs.ids[at]) - pairs.seconds[at])) for at in part])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found.append(model(ids, mask, types)[:, 0].float())
    return torch.cat(found)[torch.tensor(order).argsort()].view(-1, CANDIDATES)


def loss_of(scores: torch.Tensor, pairs: Pairs, held_share: float) -> torch.Tensor:
    answered = torch.tensor(pairs.answered)
    with_none = torch.cat([torch.zeros(len(scores), 1), scores], 1)
    right = torch.zeros_like(scores)
    right[answered, 0] = 1
    loss = cross_entropy(with_none, answered.long()) + EACH_SHARE * binary_cross_entropy_with_logits(scores, right)
    if pairs.held and held_share > 0:
        loss = loss + held_share * cross_entropy(scores, softmax(torch.tensor(pairs.held), 1))
    return loss


def optimizer_of(model: bert.CrossEncoder, rate: float) -> torch.optim.Optimizer:
    for table in (model.body.word, model.body.position):
        table.requires_grad_(False)
    body = [parameter for parameter in model.body.parameters() if parameter.requires_grad]
    head = [*model.pooler.parameters(), *model.classifier.parameters()]
    groups = [{"params": body}, {"params": head, "lr": rate * HEAD_RATE_TIMES}]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=WEIGHT_DECAY, fused=True)


def teach(model: bert.CrossEncoder, examples: Examples, general: General, args: argparse.Namespace) -> None:
    optimizer = optimizer_of(model, args.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate_of(args.steps, LEAST_RATE))
    seen: list[tuple[float, float]] = []
    for step in range(1, args.steps + 1):
        is_general = step % GENERAL_EVERY == 0
        pairs = general.batch() if is_general else examples.batch(EASY_AT_FIRST if step <= EASY_AT_FIRST_STEPS else EASY)
        scores = log_odds(model, pairs)
        loss = loss_of(scores, pairs, 0 if args.taught else max(0, 1 - step / HELD_STEPS))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_NORM_MAX)
        optimizer.step()
        schedule.step()
        if not is_general:
            answered = torch.tensor(pairs.answered)
            seen.append((loss.item(), (scores[answered].argmax(1) == 0).float().mean().item()))
        if step % LOG_EVERY == 0:
            loss_mean, right = torch.tensor(seen[-LOG_MEAN_OF:]).nanmean(0).tolist()
            print(step, f"loss {loss_mean:.3f} right {right:.3f}", flush=True)
        if step % SAVE_EVERY == 0 or step == args.steps:
            bert.save_cross_encoder(model, args.out)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--taught", action="store_true", help="the weights are a re-ranker's already")
    parser.add_argument("--pages", type=Path, nargs="+", required=True)
    parser.add_argument("--examples", type=Path, nargs="+", required=True)
    parser.add_argument("--general", type=Path, required=True)
    parser.add_argument("--dropout", type=float, default=0.0, help="share of what each layer adds that is left out")
    args = parse_lesson(parser, STEPS, RATE, SEED, THREADS)
    pages = {id: page for path in args.pages for id, page in read_pages(path).items()}
    random, reader = Random(args.seed), Reader(pages, args.weights)
    examples, general = Examples(args.examples, reader, random), General(args.general, reader, random)
    print(len(examples.rows), "examples")
    model = bert.load_cross_encoder(args.weights).train()
    for layer in model.body.layers:
        layer.dropout.p = args.dropout
    teach(model, examples, general, args)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        copyfile(args.weights / name, args.out / name)


if __name__ == "__main__":
    main()
