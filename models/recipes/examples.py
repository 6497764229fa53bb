"""Makes the examples that teach.py learns from: questions with their right passages and the near misses, the wrong
passages that look best by cosine and BM25 (hard negatives, after Karpukhin et al., EMNLP 2020).

examples.py PAGES.jsonl OUT.jsonl --questions QUESTIONS.jsonl [MORE.jsonl ...] [--model FOLDER] [--unanswerable]
            [--never-beside QUESTIONS.jsonl ...]

A line of PAGES is a saved page as the service cuts it (cut-pages.ts): `id`, `title` (or null), `language` (null or an
object with `code`) and `passages`, each with `text`, `headings` and `contentWeight` (0..1).

A line of QUESTIONS: `id` of its page, `style`, `lang`, `query`, `answers` (literal quotes; a right passage holds one)
and, where known, `others`, the ids of pages that stand beside its own. Those of the style `unanswerable` are left out
unless --unanswerable keeps them, with no right passage; left out are also those without a page, and those whose answer
stands in no single passage. The pages that answer the questions named with --never-beside lend no near misses.

A line of OUT: `query`, `style`, `lang`, `page`, and two lists of `[page id, number of the passage, BM25, cosine]`: `right`,
and `near`, the closest first. BM25 is a share of what the question can reach, 0 to about 2.2.
"""

import argparse
import json
import math
import re
import unicodedata
from collections import Counter
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
from tokenizers import Tokenizer

from export import vectors_of

SEED = 5
PASSAGE_TOKENS_MAX, QUERY_TOKENS_MAX = 256, 64
TITLE_CHARACTERS, HEADING_CHARACTERS, TEXT_CHARACTERS, BM25_CHARACTERS = 100, 80, 1200, 1500
OTHER_PAGES, NEAREST_PAGES, NEAREST_DRAWN, SAME_LANGUAGE_DRAWN = 5, 6, 3, 2
NEAR_MISSES = 24
BM25_SHARE = 0.5
UNANSWERABLE = "unanswerable"
# What seldom answers looks worse: navigation and the like, and very short passages.
LEAST_CONTENT_WEIGHT, CONTENT_PENALTY = 0.1, 0.5
LEAST_CHARACTERS, SHORT_PENALTY = 60, 0.2

# BM25's usual constants, and what a word of no meaning counts beside a word of meaning.
SATURATION, LENGTH_SHARE, STOP_WORD_WEIGHT = 1.2, 0.75, 0.15
# Six pages are a small collection: this many imagined passages keep the rarity of a word from jumping.
IMAGINED_PASSAGES = 10
SPACE = re.compile(r"[\s\u00ad\u200b-\u200f\ufeff]+")
WORD = re.compile(r"[^\W_]+")
UNSPACED = r"\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
UNSPACED_OR_REST = re.compile(f"[{UNSPACED}]|[^{UNSPACED}]+")
SUFFIXES = "ations ation ingly ings ing ies ied edly ed es ly s e".split()
STOP_WORDS = (
    "a an the of to in on for and or is are was were be been do does did how what which who whom when where why can "
    "could would should i you my me we it its this that with from by as at into about your their his her there any "
    "have has had not no if than then so please hi hello tell thanks thx just want know need help"
)


def squash(text: str) -> str:
    """NFKC, lower case, one space between words: what quotes are compared in."""
    return SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip().lower()


def stem(word: str) -> str:
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


STOP_STEMS = {stem(word) for word in STOP_WORDS.split()}


def words_of(text: str) -> list[str]:
    """Stems; of scripts without spaces, the characters and their pairs."""
    words = []
    for word in WORD.findall(squash(text)):
        if re.search(f"[{UNSPACED}]", word):
            characters = UNSPACED_OR_REST.findall(word)
            words += characters + [left + right for left, right in zip(characters, characters[1:])]
        else:
            words.append(stem(word))
    return words


def bm25(query: list[str], passages: list[list[str]]) -> np.ndarray:
    """BM25 of every passage (Robertson and Zaragoza, 2009), divided by the weight of the question's words."""
    weights = {word: STOP_WORD_WEIGHT if word in STOP_STEMS else 1.0 for word in query}
    if all(word in STOP_STEMS for word in weights):
        weights = dict.fromkeys(weights, 1.0)
    holding = Counter(word for passage in passages for word in set(passage) & weights.keys())
    total = len(passages) + IMAGINED_PASSAGES
    for word in weights:
        weights[word] *= math.log(1 + (total - holding[word] + 0.5) / (holding[word] + 0.5))
    mean_length = max(1, np.mean([len(passage) for passage in passages]))
    found = np.zeros(len(passages))
    for at, passage in enumerate(passages):
        counts = Counter(passage)
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * len(passage) / mean_length)
        for word, weight in weights.items():
            found[at] += weight * counts[word] * (SATURATION + 1) / (counts[word] + norm)
    return found / (sum(weights.values()) or 1)


class Page:
    """A saved page and what is compared of its passages."""

    def __init__(self, row: dict):
        self.id: str = row["id"]
        self.title: str = row["title"] or ""
        self.language: str | None = (row["language"] or {}).get("code")
        self.passages: list[dict] = row["passages"]

    def input_text(self, at: int) -> tuple[str, int]:
        """What the encoder reads of a passage (title and last headings before it), and where its own text starts."""
        passage = self.passages[at]
        parts = [self.title[:TITLE_CHARACTERS], *(heading[:HEADING_CHARACTERS] for heading in passage["headings"][-2:])]
        before = " > ".join(part for part in parts if part)
        return f"{before}\n{passage['text'][:TEXT_CHARACTERS]}", len(before) + 1

    @cached_property
    def squashed(self) -> list[str]:
        return [squash(passage["text"]) for passage in self.passages]

    @cached_property
    def words(self) -> list[list[str]]:
        title = words_of(self.title)
        of = lambda passage: words_of(" ".join(passage["headings"])) + words_of(passage["text"][:BM25_CHARACTERS])
        return [title + of(passage) for passage in self.passages]

    @cached_property
    def penalties(self) -> np.ndarray:
        hollow = np.array([passage["contentWeight"] < LEAST_CONTENT_WEIGHT for passage in self.passages])
        short = np.array([len(passage["text"]) < LEAST_CHARACTERS for passage in self.passages])
        return CONTENT_PENALTY * hollow + SHORT_PENALTY * short


def read_lines(path: Path) -> list[dict]:
    with path.open() as lines:
        return [json.loads(line) for line in lines]


def read_pages(path: Path) -> dict[str, Page]:
    return {row["id"]: Page(row) for row in read_lines(path)}


class Encoder:
    """A model's folder as it ships; gives vectors of length 1."""

    def __init__(self, folder: Path):
        self.graph = folder / "onnx" / "model_quantized.onnx"
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()

    def vectors(self, texts: list[str], tokens_max: int) -> np.ndarray:
        self.tokenizer.enable_truncation(tokens_max)
        return vectors_of(self.graph, self.tokenizer, texts)


def passage_vectors(pages: dict[str, Page], encoder: Encoder) -> dict[str, np.ndarray]:
    """Of every page, one row a passage."""
    texts = [page.input_text(at)[0] for page in pages.values() for at in range(len(page.passages))]
    ends = np.cumsum([len(page.passages) for page in pages.values()])
    return dict(zip(pages, np.split(encoder.vectors(texts, PASSAGE_TOKENS_MAX), ends[:-1])))


class Neighbours:
    """Draws the pages that stand beside a question's own: close ones, and any of its language."""

    def __init__(self, pages: dict[str, Page], vectors: dict[str, np.ndarray]):
        self.random = Random(SEED)
        self.pages = pages
        self.ids = [page.id for page in pages.values() if page.passages]
        means = np.array([vectors[id].mean(0) for id in self.ids])
        self.means = dict(zip(self.ids, means / np.linalg.norm(means, axis=1, keepdims=True)))
        self.by_language: dict[str | None, list[str]] = {}
        for page in pages.values():
            self.by_language.setdefault(page.language, []).append(page.id)

    def nearest(self, id: str) -> list[str]:
        cosine = np.array([self.means[other] for other in self.ids]) @ self.means[id]
        return [self.ids[at] for at in np.argsort(-cosine) if self.ids[at] != id][:NEAREST_PAGES]

    def draw(self, id: str) -> list[str]:
        nearest, same = self.nearest(id), self.by_language[self.pages[id].language]
        drawn = self.random.sample(nearest, min(NEAREST_DRAWN, len(nearest)))
        return drawn + self.random.sample(same, min(SAME_LANGUAGE_DRAWN, len(same)))


def example_of(question: dict, vector: np.ndarray, pool: list[Page], vectors: dict[str, np.ndarray]) -> dict | None:
    """The example of a question in the passages of `pool`, whose first page is its own; None where an answer should stand
    in one of them and does not."""
    answers = [squash(answer) for answer in question["answers"]]
    is_right = lambda page, at: page is pool[0] and any(answer in page.squashed[at] for answer in answers)
    places = [(page, at) for page in pool for at in range(len(page.passages))]
    right = np.array([is_right(page, at) for page, at in places])
    if not right.any() and question["style"] != UNANSWERABLE:
        return None
    by_words = bm25(words_of(question["query"]), [words for page in pool for words in page.words])
    cosine = np.concatenate([vectors[page.id] for page in pool]) @ vector
    looks = cosine + BM25_SHARE * by_words - np.concatenate([page.penalties for page in pool])
    near = [at for at in np.argsort(-looks) if not right[at]][:NEAR_MISSES]
    row = lambda at: [places[at][0].id, places[at][1], round(float(by_words[at]), 6), round(float(cosine[at]), 4)]
    return {
        **{name: question[name] for name in ("query", "style", "lang")},
        "page": pool[0].id,
        "right": [row(at) for at in np.nonzero(right)[0]],
        "near": [row(at) for at in near],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path, default=Path("models/all-MiniLM-L6-v2"))
    parser.add_argument("--unanswerable", action="store_true")
    parser.add_argument("--never-beside", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    pages, encoder = read_pages(args.pages), Encoder(args.model)
    asked = [question for path in args.questions for question in read_lines(path)]
    wanted = [row for row in asked if args.unanswerable or row["style"] != UNANSWERABLE]
    questions = [row for row in wanted if row["id"] in pages and pages[row["id"]].passages]
    vectors = passage_vectors(pages, encoder)
    kept_apart = {question["id"] for path in args.never_beside for question in read_lines(path)}
    neighbours = Neighbours({id: page for id, page in pages.items() if id not in kept_apart}, vectors)
    written = 0
    with args.out.open("w") as out:
        for question, vector in zip(questions, encoder.vectors([row["query"] for row in questions], QUERY_TOKENS_MAX)):
            others = question.get("others") or neighbours.draw(question["id"])
            # A page drawn twice counts twice: so it was, in 188 examples, when the shipped weights were made.
            beside = [pages[id] for id in others if id in pages and id != question["id"]][:OTHER_PAGES]
            example = example_of(question, vector, [pages[question["id"]], *beside], vectors)
            if example:
                out.write(json.dumps(example, ensure_ascii=False) + "\n")
                written += 1
    print(f"{written} examples of {len(asked)} questions")


if __name__ == "__main__":
    main()
