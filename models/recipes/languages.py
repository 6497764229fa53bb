"""Teaches a model that the same thing said in two languages means the same, and gives it Chinese characters.

languages.py OUT --weights FOLDER --pairs PAIRS.jsonl --pages PAGES.jsonl --examples EXAMPLES.jsonl
             --translated TRANSLATED.jsonl [--steps 1000] [--threads 2]

FOLDER holds config.json and model.safetensors of a taught model, the teacher here. A line of PAIRS has `foreign`, `english`,
`kind` (word, sentence or passage) and `weight`, how often its kind draws it. PAGES and EXAMPLES are those of examples.py: of
the examples only those that are not English alone are asked; TRANSLATED are examples whose question was translated
from English. OUT gets config.json, model.safetensors and tokenizer files.

Losses (after Reimers and Gurevych, EMNLP 2020):
- the vector of the foreign text lies where the teacher's of the English one does, nearer than to others of the batch;
- MaxSim between the two, either way, among the batch, for what is longer than a word;
- the states of English texts stay the teacher's, token by token, so that nothing English is forgotten;
- every third step asks examples over foreign pages, every third translated questions over English pages as the teacher
  reads them, with the losses of teach.py.
All weights learn, the embedding table four times as fast, since it is where foreign words have to be put together.
"""

import argparse
import json
import shutil
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

import torch
from torch.nn.functional import cosine_similarity, cross_entropy

import bert
from batches import Examples, Reader
from examples import read_lines, read_pages
from export import source_folder
from teach import (
    GRADIENT_NORM_MAX,
    SCALE,
    SENTENCE_SHARE,
    THREADS,
    States,
    contrasts,
    max_sim,
    parse_lesson,
    rate_of,
    similarities,
    states_of,
)

STEPS, SEED = 1000, 5
RATE, TABLE_RATE_TIMES, LEAST_RATE = 1.2e-4, 4, 0.03
# Tokens of a step's pairs, by kind; words only in every other step.
TOKENS = {"sentence": 1600, "passage": 1100, "word": 500}
WORDS_EVERY, TASK_EVERY = 2, 3
DISTANCE_SHARE, MAX_SIM_SHARE, ENGLISH_SHARE, TASK_SHARE = 3, 0.7, 10, 0.5
# Pairs of a batch whose tokens are compared, and the part of its English texts that is held to the teacher's states.
COMPARED_MAX, HELD_PART, HELD_LEAST = 24, 3, 4
SAME = 0.98
FOREIGN_QUESTIONS, TRANSLATED_QUESTIONS, NEAR_MISSES = 6, 8, 3
CHARACTER_SPREAD, CHARACTER_NOISE = 2.0, 0.01
LOG_EVERY, SAVE_EVERY = 50, 200


@dataclass(frozen=True)
class Pair:
    foreign: str
    english: str
    weight: float


class Pairs:
    """Pairs of one kind, each drawn as often as its weight tells."""

    def __init__(self, pairs: list[Pair], readers: tuple[Reader, Reader], random: Random):
        self.pairs, self.readers, self.random = pairs, readers, random
        self.cumulative = list(accumulate(pair.weight for pair in pairs))

    def drawn(self, tokens: int) -> list[Pair]:
        """So many of them that the longer sides hold about so many tokens."""
        foreign, english = self.readers
        found: list[Pair] = []
        while tokens > 0:
            pair = self.random.choices(self.pairs, cum_weights=self.cumulative)[0]
            tokens -= max(len(foreign.query(pair.foreign)), len(english.query(pair.english)))
            found.append(pair)
        return found


def read_pairs(path: Path) -> dict[str, list[Pair]]:
    by_kind: dict[str, list[Pair]] = {}
    for row in read_lines(path):
        by_kind.setdefault(row["kind"], []).append(Pair(row["foreign"], row["english"], row["weight"]))
    return by_kind


def is_chinese(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def with_characters(tokenizer: dict, pairs: list[Pair]) -> dict[str, int]:
    """Puts the commonest Chinese characters that have no token into the places the vocabulary keeps unused."""
    vocabulary = tokenizer["model"]["vocab"]
    counts = Counter(character for pair in pairs for character in pair.foreign if is_chinese(character))
    missing = [character for character, _ in counts.most_common() if character not in vocabulary]
    unused = [token for token in vocabulary if token.startswith("[unused")]
    added = {character: vocabulary.pop(token) for token, character in zip(unused, missing)}
    tokenizer["model"]["vocab"] = dict(sorted({**vocabulary, **added}.items(), key=lambda entry: entry[1]))
    return added


def place_characters(table: torch.Tensor, added: dict[str, int], pairs: list[Pair], reader: Reader) -> None:
    """A new character begins at the mean of the English words it is translated with, away from the mean of all."""
    middle, places = table.mean(0), {}
    for pair in pairs:
        tokens = reader.query(pair.english)[1:-1]
        for character in set(pair.foreign) & added.keys():
            places.setdefault(character, []).append((table[tokens] - middle).mean(0))
    for character, at in added.items():
        found = places.get(character)
        away = torch.stack(found).mean(0) * CHARACTER_SPREAD if found else torch.zeros_like(middle)
        table[at] = middle + away + CHARACTER_NOISE * torch.randn_like(middle)


class Lesson:
    """The model, its teacher and how each reads: foreign text goes by the larger vocabulary, English by either."""

    def __init__(self, weights: Path, reader: Reader, teachers_reader: Reader):
        self.model = bert.load(weights).train()
        self.teacher = bert.load(weights).eval().requires_grad_(False)
        self.reader, self.teachers_reader = reader, teachers_reader

    def optimizer(self, rate: float) -> torch.optim.Optimizer:
        table = self.model.word.weight
        rest = [parameter for parameter in self.model.parameters() if parameter is not table]
        groups = [{"params": rest}, {"params": [table], "lr": rate * TABLE_RATE_TIMES}]
        return torch.optim.AdamW(groups, lr=rate, weight_decay=0, betas=(0.9, 0.98))

    def held(self, english: list[list[int]], expected: States) -> torch.Tensor:
        """One less the mean cosine of the tokens of some English texts with the teacher's."""
        some = torch.randperm(len(english))[: max(HELD_LEAST, len(english) // HELD_PART)].tolist()
        found = states_of(self.model, [english[at] for at in some])
        length = found.mask.shape[1]
        cosine = cosine_similarity(found.hidden, expected.hidden[some][:, :length], dim=-1)
        return 1 - cosine[found.mask > 0].mean()

    def pairs(self, pairs: list[Pair], is_word: bool) -> torch.Tensor:
        english = [self.teachers_reader.query(pair.english) for pair in pairs]
        foreign = states_of(self.model, [self.reader.query(pair.foreign) for pair in pairs])
        with torch.no_grad():
            expected = states_of(self.teacher, english)
        found, wanted, own = foreign.means(), expected.means(), torch.arange(len(pairs))
        same = (wanted @ wanted.T > SAME) & ~torch.eye(len(pairs), dtype=torch.bool)
        scores = (found @ wanted.T * SCALE).masked_fill(same, -30)
        loss = cross_entropy(scores, own) + cross_entropy(scores.T, own)
        loss = loss + DISTANCE_SHARE * (1 - (found * wanted).sum(1)).mean()
        if not is_word:
            loss = loss + MAX_SIM_SHARE * (self.by_tokens(foreign, expected) + self.by_tokens(expected, foreign))
        return loss + ENGLISH_SHARE * self.held(english, expected)

    @staticmethod
    def by_tokens(askers: States, asked: States) -> torch.Tensor:
        count = min(COMPARED_MAX, len(askers.mask))
        among = States(asked.hidden[:count], asked.mask[:count])
        scores = [max_sim(States(askers.hidden[at], askers.mask[at]), among) for at in range(count)]
        return cross_entropy(torch.stack(scores) * SCALE, torch.arange(count))

    def task(self, examples: Examples, count: int, are_pages_english: bool) -> torch.Tensor:
        batch = examples.batch(count, NEAR_MISSES)
        questions = states_of(self.model, batch.queries)
        texts = [text.ids for text in batch.passages]
        if are_pages_english:
            with torch.no_grad():
                passages = states_of(self.teacher, texts)
        else:
            passages = states_of(self.model, texts)
        found = similarities(questions, passages, batch.passages)
        in_batch, by_max_sim, by_sentence = contrasts(questions, passages, found)
        return in_batch + by_max_sim + SENTENCE_SHARE * by_sentence


def step_losses(lesson: Lesson, pairs: dict[str, Pairs], tasks: list[Examples], step: int) -> list[torch.Tensor]:
    kinds = [kind for kind in TOKENS if kind != "word" or step % WORDS_EVERY]
    losses = [lesson.pairs(pairs[kind].drawn(TOKENS[kind]), kind == "word") for kind in kinds]
    foreign, translated = tasks
    if step % TASK_EVERY == 0:
        losses.append(TASK_SHARE * lesson.task(foreign, FOREIGN_QUESTIONS, are_pages_english=False))
    if step % TASK_EVERY == 1:
        losses.append(TASK_SHARE * lesson.task(translated, TRANSLATED_QUESTIONS, are_pages_english=True))
    return losses


def teach(lesson: Lesson, pairs: dict[str, Pairs], tasks: list[Examples], args: argparse.Namespace) -> None:
    optimizer = lesson.optimizer(args.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate_of(args.steps, LEAST_RATE))
    for step in range(1, args.steps + 1):
        optimizer.zero_grad()
        losses = step_losses(lesson, pairs, tasks, step)
        for loss in losses:
            loss.backward()
        for group in optimizer.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], GRADIENT_NORM_MAX)
        optimizer.step()
        schedule.step()
        if step % LOG_EVERY == 0:
            print(step, *(f"{loss.item():.3f}" for loss in losses), flush=True)
        if step % SAVE_EVERY == 0 or step == args.steps:
            bert.save(lesson.model, args.out)


def larger_tokenizer(out: Path, pairs: list[Pair]) -> dict[str, int]:
    """Writes the tokenizer with the new characters, and tells their ids."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source_folder() / "tokenizer_config.json", out / "tokenizer_config.json")
    tokenizer = json.loads((source_folder() / "tokenizer.json").read_text())
    added = with_characters(tokenizer, pairs)
    (out / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")))
    return added


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--pages", type=Path, required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--translated", type=Path, required=True, help="examples over English pages, questions translated")
    args = parse_lesson(parser, STEPS, RATE, SEED, THREADS)
    random, pages, by_kind = Random(args.seed), read_pages(args.pages), read_pairs(args.pairs)
    sentences = by_kind["sentence"]
    added = larger_tokenizer(args.out, sentences)
    readers = Reader(pages, args.out), Reader(pages)
    lesson = Lesson(args.weights, *readers)
    with torch.no_grad():
        place_characters(lesson.model.word.weight, added, sentences, readers[1])
    foreign = Examples(args.examples, readers[0], random)
    foreign.rows = [row for row in foreign.rows if row["lang"] != "en" or row["style"] == "cross"]
    tasks = [foreign, Examples(args.translated, readers[0], random)]
    pairs = {kind: Pairs(found, readers, random) for kind, found in by_kind.items()}
    print({kind: len(found) for kind, found in by_kind.items()}, len(added), "characters")
    teach(lesson, pairs, tasks, args)


if __name__ == "__main__":
    main()
