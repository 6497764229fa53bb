"""Packs what a GPU learns from into one file: tokens, and tables of questions and candidates, so that the lent machine needs
neither pages nor tokenizer and spends its minutes on nothing else.

pack.py OUT.npz --model models/verbatim-minilm --pages PAGES.jsonl [MORE.jsonl ...] --teaching QUESTIONS.jsonl
        --written QUESTIONS.jsonl --visible QUESTIONS.jsonl [MORE.jsonl ...] --general PAIRS.jsonl.zst

PAGES and QUESTIONS are those of examples.py, unanswerable ones among them, PAIRS those of teach.py. packed.py reads the file.

- Taught are the questions of --teaching and --written, each in its own and three added wordings.
- A seventh of the pages is kept apart, by a digest of their ids: questions written over them are measured and fitted on,
  never taught, beside pages as the yardstick has them. So are those of --visible, each file a set of its own.
- Headings of the other pages are questions without a label, which the teachers will judge.
- No page that answers a question of --visible has a question or a heading among those taught, nor is it drawn to stand beside
  one; a question that names it among its `others` keeps it.
"""

import argparse
import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from batches import Reader, Text, general_pages, reworded
from examples import (
    NEAR_MISSES,
    OTHER_PAGES,
    QUERY_TOKENS_MAX,
    TEXT_CHARACTERS,
    UNANSWERABLE,
    Encoder,
    Neighbours,
    Page,
    example_of,
    passage_vectors,
    read_lines,
    read_pages,
)
from packed import HEADINGS, RIGHTS_MAX, TEACHING

SEED, WORDINGS, APART, APART_EVERY = 5, 4, "written", 7
# What stands beside a page kept apart: two of its nearest, and as many others of its language.
APART_NEAREST, APART_DRAWN, APART_OTHERS = 4, 2, 4
HEADING_LEAST, HEADING_MOST, HEADINGS_A_PAGE, HEADINGS_MAX = 12, 90, 4, 3000
PAIRS_A_SOURCE, PAIRS_A_PAGE, PAIR_PASSAGES = 1500, 3, 8
# A sentence's number is kept in eight bits; lessons tell far fewer apart.
SENTENCE_MOST = 100


@dataclass
class Store:
    """Texts, each once, and its place among them."""

    places: dict[Hashable, int] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)

    def place(self, key: Hashable, read: Callable[[], Text]) -> int:
        if key not in self.places:
            self.places[key] = len(self.texts)
            self.texts.append(read())
        return self.places[key]

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        sentences = np.concatenate([text.sentences for text in self.texts])
        return {
            f"{name}_tokens": np.concatenate([text.ids for text in self.texts]).astype(np.uint16),
            f"{name}_sentences": np.minimum(sentences, SENTENCE_MOST).astype(np.int8),
            f"{name}_starts": np.cumsum([0, *(len(text.ids) for text in self.texts)]),
        }


class Packer:
    """Questions and passages by place; without the marks that a model reads around a text."""

    def __init__(self, pages: dict[str, Page], model: Path):
        self.pages, self.reader, self.encoder = pages, Reader(pages, model), Encoder(model)
        self.vectors = passage_vectors(pages, self.encoder)
        self.questions, self.passages = Store(), Store()

    def question(self, text: str) -> int:
        ids = lambda: self.reader.query(text)[1:-1][: QUERY_TOKENS_MAX - 2]
        return self.questions.place(text, lambda: Text(tokens := ids(), [-1] * len(tokens)))

    def passage(self, page: str, at: int) -> int:
        return self.passages.place((page, at), lambda: own(self.reader.passage(page, at)))

    def general_passage(self, text: str) -> int:
        return self.passages.place(text[:TEXT_CHARACTERS], lambda: own(self.reader.text(text[:TEXT_CHARACTERS])))

    def examples(self, asked: list[dict], beside: Callable[[dict], list[str]]) -> list[dict]:
        """Those that examples.py would make."""
        asked = [row for row in asked if row["id"] in self.pages and self.pages[row["id"]].passages]
        found = []
        for row, vector in zip(asked, self.encoder.vectors([row["query"] for row in asked], QUERY_TOKENS_MAX)):
            others = [self.pages[id] for id in beside(row) if id in self.pages and id != row["id"]][:OTHER_PAGES]
            found.append(example_of(row, vector, [self.pages[row["id"]], *others], self.vectors))
        return [example for example in found if example]

    def set_of(self, name: str, examples: list[dict], wordings: int) -> dict[str, np.ndarray]:
        random, shape = Random(SEED), (len(examples), RIGHTS_MAX + NEAR_MISSES)
        candidates = np.full(shape, -1, np.int32)
        bm25, cosines = np.zeros(shape, np.float16), np.zeros(shape, np.float16)
        questions, rights = np.zeros((len(examples), wordings), np.int32), np.zeros(len(examples), np.int8)
        for number, row in enumerate(examples):
            added = [reworded(row["query"], row["lang"], random) for _ in range(wordings - 1)]
            questions[number] = [self.question(text) for text in (row["query"], *added)]
            right = row["right"][:RIGHTS_MAX]
            rights[number] = len(right)
            for start, places in ((0, right), (RIGHTS_MAX, row["near"])):
                for column, (page, at, by_words, cosine) in enumerate(places, start):
                    candidates[number, column] = self.passage(page, at)
                    bm25[number, column], cosines[number, column] = by_words, cosine
        tables = {"questions": questions, "candidates": candidates, "rights": rights, "bm25": bm25, "cosines": cosines}
        tables["styles"] = np.array([row["style"] for row in examples])
        tables["languages"] = np.array([row["lang"] for row in examples])
        print(name, len(examples), flush=True)
        return {f"{name}/{table}": value for table, value in tables.items()}

    def general(self, by_source: dict[str, list[list[dict]]]) -> dict[str, np.ndarray]:
        random, questions, rows = Random(SEED), [], []
        pairs_of = lambda page: random.sample(page, min(PAIRS_A_PAGE, len(page)))
        for pages in by_source.values():
            drawn = [(pair, page) for page in random.sample(pages, len(pages)) for pair in pairs_of(page)]
            for pair, page in drawn[:PAIRS_A_SOURCE]:
                wrong = list(dict.fromkeys(other["passage"] for other in page if other["passage"] != pair["passage"]))
                random.shuffle(wrong)
                questions.append(self.question(pair["query"]))
                rows.append([self.general_passage(text) for text in [pair["passage"], *wrong][:PAIR_PASSAGES]])
        candidates = np.array([row + [-1] * (PAIR_PASSAGES - len(row)) for row in rows], np.int32)
        print("general pairs", len(rows), flush=True)
        return {"general_questions": np.array(questions, np.int32), "general_candidates": candidates}


def own(text: Text) -> Text:
    return Text(text.ids[1:-1], text.sentences[1:-1])


def is_apart(page: str) -> bool:
    return zlib.crc32(f"fit {page}".encode()) % APART_EVERY == 0


def beside_apart(neighbours: Neighbours, id: str, random: Random) -> list[str]:
    near = neighbours.nearest(id)[:APART_NEAREST]
    of_language = neighbours.by_language[neighbours.pages[id].language]
    same = [other for other in of_language if other != id and other not in near]
    return random.sample(near, APART_DRAWN) + random.sample(same, min(APART_OTHERS, len(same)))[:APART_DRAWN]


def heading_questions(pages: list[Page]) -> list[dict]:
    random, found = Random(SEED), []
    for page in pages:
        last = dict.fromkeys(heading for passage in page.passages for heading in passage["headings"][-1:])
        fit = [heading for heading in last if HEADING_LEAST <= len(heading) <= HEADING_MOST]
        for heading in random.sample(fit, min(HEADINGS_A_PAGE, len(fit))):
            found.append({"id": page.id, "query": heading, "lang": page.language or "en", "style": UNANSWERABLE, "answers": []})
    return random.sample(found, min(HEADINGS_MAX, len(found)))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--pages", type=Path, nargs="+", required=True)
    parser.add_argument("--teaching", type=Path, required=True)
    parser.add_argument("--written", type=Path, required=True)
    parser.add_argument("--visible", type=Path, nargs="+", required=True)
    parser.add_argument("--general", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    args = parsed()
    pages = {id: page for path in args.pages for id, page in read_pages(path).items()}
    visible = {path.stem: read_lines(path) for path in args.visible}
    answering = {row["id"] for rows in visible.values() for row in rows}
    free = {id: page for id, page in pages.items() if id not in answering}
    packer, random = Packer(pages, args.model), Random(SEED)
    neighbours = Neighbours(free, packer.vectors)
    written = [row for row in read_lines(args.written) if row["id"] not in answering]
    taught = [row for row in written + read_lines(args.teaching) if not is_apart(row["id"])]
    apart = [row for row in written if is_apart(row["id"])]
    headings = heading_questions([page for id, page in free.items() if not is_apart(id)])
    drawn = lambda row: row.get("others") or neighbours.draw(row["id"])
    arrays = packer.set_of(TEACHING, packer.examples(taught, drawn), WORDINGS)
    arrays |= packer.set_of(APART, packer.examples(apart, lambda row: beside_apart(neighbours, row["id"], random)), 1)
    for name, rows in visible.items():
        arrays |= packer.set_of(name, packer.examples(rows, lambda row: row["others"]), 1)
    arrays |= packer.set_of(HEADINGS, packer.examples(headings, drawn), 1)
    arrays |= packer.general(general_pages(args.general))
    np.savez_compressed(args.out, **arrays, **packer.questions.arrays("questions"), **packer.passages.arrays("passages"))


if __name__ == "__main__":
    main()
