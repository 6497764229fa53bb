"""What teach.py learns from, batch by batch: examples with their near misses, in added wordings, and general pairs."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from tokenizers import Tokenizer

from examples import TEXT_CHARACTERS, Page, read_lines
from export import source_folder

TOKENS_MAX = 256
NEAR_MISSES_MAX = 16
SENTENCE_END = re.compile(r"[.!?。！？]+(?=\s|$|[^\w\s.])|[。！？\n]+")
# And every openstax book.
GENERAL_SOURCES = (
    "medquad policyqa drcd jsquad cmrc2018 selqa qed_nq tldr powershell_docs cpp_docs opensource_guide".split()
)
GENERAL_PASSAGES_LEAST = 3
# Shares of the questions that get a greeting, a closing, a slip of the fingers, or lose capitals and question mark.
GREETING, CLOSING, SLIP, LOWER = 0.08, 0.06, 0.06, 0.04
# Questions up to this length lose their capitals instead of slipping.
SLIP_CHARACTERS = 12
GREETINGS = {
    "en": [
        *("hi, ", "Hello! ", "hey, ", "quick question: "),
        *("can someone tell me ", "I was wondering, ", "please help: "),
    ],
    "de": ["hallo, ", "Hi zusammen, ", "kurze Frage: ", "weiß jemand, "],
    "es": ["hola, ", "una pregunta: "],
    "fr": ["bonjour, ", "petite question : "],
}
CLOSINGS = {
    "en": [" thanks!", " thx", " please", " (asap)", " – any idea?"],
    "de": [" danke!", " vielen Dank", " bitte"],
    "es": [" gracias", " por favor"],
    "fr": [" merci", " svp"],
}


@dataclass(frozen=True)
class Text:
    """Token ids, and of every token the number of its sentence, or -1 for what is not the passage's own text."""

    ids: list[int]
    sentences: list[int]


@dataclass
class Batch:
    """Questions, each with as many passages in a row, the right one first; BM25 (questions, passages) where known."""

    queries: list[list[int]]
    passages: list[Text]
    bm25: torch.Tensor | None = None


class Reader:
    def __init__(self, pages: dict[str, Page], folder: Path | None = None):
        """The tokenizer is that of the original model, or of the model in `folder`."""
        self.tokenizer = Tokenizer.from_file(str((folder or source_folder()) / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS_MAX)
        self.pages = pages
        self.read: dict[tuple[str, int], Text] = {}

    def query(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def text(self, text: str, start: int = 0) -> Text:
        encoding = self.tokenizer.encode(text)
        ends = [match.end() for match in SENTENCE_END.finditer(text) if match.end() >= start]
        number = lambda at: -1 if at < start else sum(at >= end for end in ends)
        found = [-1, *(number(at) for at, _ in encoding.offsets[1:-1]), -1]
        order = {value: place for place, value in enumerate(sorted(set(found) - {-1}))}
        return Text(encoding.ids, [order.get(value, -1) for value in found])

    def passage(self, page: str, at: int) -> Text:
        if (page, at) not in self.read:
            self.read[page, at] = self.text(*self.pages[page].input_text(at))
        return self.read[page, at]


def slipped(query: str, random: Random) -> str:
    """Two neighbouring letters of a longer word change places."""
    words = query.split(" ")
    at = random.randrange(len(words))
    if len(words[at]) > 4:
        place = random.randrange(1, len(words[at]) - 1)
        word = words[at]
        words[at] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return " ".join(words)


def reworded(query: str, language: str, random: Random) -> str:
    """The question as people also type it, for about a quarter of the questions."""
    share = random.random()
    if share < GREETING:
        return random.choice(GREETINGS.get(language, GREETINGS["en"])) + query
    if share < GREETING + CLOSING:
        return query + random.choice(CLOSINGS.get(language, CLOSINGS["en"]))
    if share < GREETING + CLOSING + SLIP and len(query) > SLIP_CHARACTERS:
        return slipped(query, random)
    if share < GREETING + CLOSING + SLIP + LOWER:
        return query.lower().rstrip("?")
    return query


class Examples:
    """Batches of examples, every example once an epoch."""

    def __init__(self, path: Path, reader: Reader, random: Random):
        self.rows = [row for row in read_lines(path) if row["near"] and row["right"]]
        self.reader, self.random = reader, random
        self.order: list[int] = []

    def passages(self, row: dict, near_misses: int) -> list[list]:
        right, near = self.random.choice(row["right"]), row["near"][:NEAR_MISSES_MAX]
        drawn = self.random.sample(near, min(near_misses, len(near)))
        return [right, *(drawn * near_misses)[:near_misses]]

    def batch(self, groups: int, near_misses: int) -> Batch:
        if len(self.order) < groups:
            self.order = self.random.sample(range(len(self.rows)), len(self.rows))
        batch, scores = Batch([], []), []
        for _ in range(groups):
            row = self.rows[self.order.pop()]
            places = self.passages(row, near_misses)
            batch.queries.append(self.reader.query(reworded(row["query"], row["lang"], self.random)))
            batch.passages += [self.reader.passage(page, at) for page, at, *_ in places]
            scores.append([score for _, _, score, *_ in places])
        batch.bm25 = torch.tensor(scores)
        return batch


def lines_of(path: Path) -> list[str]:
    if path.suffix != ".zst":
        return path.read_text().split("\n")
    command = ["zstd", "-dc", "--long=27", str(path)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")


def general_pages(path: Path) -> dict[str, list[list[dict]]]:
    """By the first word of the source's name, the pairs of every page that has enough passages to choose among."""
    pages: dict[tuple[str, str], list[dict]] = {}
    for line in lines_of(path):
        pair = json.loads(line) if line else None
        if pair and (pair["source"] in GENERAL_SOURCES or pair["source"].startswith("openstax")):
            pages.setdefault((pair["source"], pair["page"]), []).append(pair)
    by_source: dict[str, list[list[dict]]] = {}
    for pairs in pages.values():
        if len({pair["passage"] for pair in pairs}) >= GENERAL_PASSAGES_LEAST:
            by_source.setdefault(pairs[0]["source"].split("_")[0], []).append(pairs)
    return by_source


class General:
    """Batches of general pairs, every source as often as any other, with wrong passages of the same page."""

    def __init__(self, path: Path, reader: Reader, random: Random):
        self.by_source = general_pages(path)
        self.reader, self.random = reader, random

    def passages(self, pair: dict, pairs: list[dict], near_misses: int) -> list[Text]:
        wrong = list(dict.fromkeys(other["passage"] for other in pairs if other["passage"] != pair["passage"]))
        self.random.shuffle(wrong)
        drawn = wrong[:near_misses]
        while len(drawn) < near_misses:
            drawn.append(self.random.choice(drawn))
        return [self.reader.text(passage[:TEXT_CHARACTERS]) for passage in [pair["passage"], *drawn]]

    def batch(self, groups: int, near_misses: int) -> Batch:
        batch = Batch([], [])
        for _ in range(groups):
            pairs = self.random.choice(self.by_source[self.random.choice(list(self.by_source))])
            pair = self.random.choice(pairs)
            batch.queries.append(self.reader.query(pair["query"]))
            batch.passages += self.passages(pair, pairs, near_misses)
        return batch
