"""The training data: what is read, how it is grouped, and how it becomes token ids.

Kept apart so that every stage sees the same token arrays and the same groups of sources.
"""

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import zstandard
from tokenizers import Tokenizer

QUERY_TOKENS_MAX = 48
PASSAGE_TOKENS_MAX = 256
PROSE_TOKENS_MAX = 400
ENCODE_CHUNK = 4000

# Sources are sampled by group, so that 200 000 dictionary glosses do not drown 7 000 real questions.
GROUP_OF_SOURCE = {
    "wordnet": "dictionary",
    "cpp_docs": "manuals",
    "powershell_docs": "manuals",
    "tldr": "commands",
    "opensource_guide": "guide",
    "drcd": "chinese_japanese",
    "cmrc2018": "chinese_japanese",
    "jsquad": "chinese_japanese",
    "medquad": "medical",
    "policyqa": "policies",
}


def group_of(source: str) -> str:
    """Name of the sampling group of a source; textbooks by prefix, question sets by default."""
    if source.startswith("openstax"):
        return "textbooks"
    return GROUP_OF_SOURCE.get(source, "questions")


def read_lines(path: Path):
    """Yield the JSON objects of a Zstandard-compressed JSONL file."""
    with open(path, "rb") as compressed:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(compressed)
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            yield json.loads(line)


def digest(text: str) -> int:
    """A stable 60-bit number for a text: Python's own hash changes from run to run."""
    return int(hashlib.md5(text.encode()).hexdigest()[:15], 16)


@dataclass(frozen=True)
class Texts:
    """Many texts as one flat array of token ids; text i is tokens[offsets[i]:offsets[i+1]]."""

    tokens: np.ndarray
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def row(self, index: int) -> np.ndarray:
        return self.tokens[self.offsets[index] : self.offsets[index + 1]]

    def gather(self, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of the chosen texts end to end, and where each of them starts."""
        starts = self.offsets[indices]
        lengths = self.offsets[indices + 1] - starts
        begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        positions = np.repeat(starts - begins, lengths) + np.arange(lengths.sum())
        return self.tokens[positions], begins


@dataclass(frozen=True)
class Corpus:
    """Everything the training stages read."""

    queries: Texts
    passages: Texts
    prose: Texts
    group: np.ndarray  # per pair: name of its group
    page: np.ndarray  # per pair: digest of its page, -1 when it has none
    query_digest: np.ndarray
    passage_digest: np.ndarray

    def token_counts(self, vocabulary_size: int) -> np.ndarray:
        counts = np.bincount(self.prose.tokens, minlength=vocabulary_size)
        return counts + np.bincount(self.passages.tokens, minlength=vocabulary_size)


def encode(tokenizer: Tokenizer, texts: list[str], tokens_max: int) -> Texts:
    """Token ids without special tokens, each text cut at tokens_max."""
    tokens: list[np.ndarray] = []
    for start in range(0, len(texts), ENCODE_CHUNK):
        for encoding in tokenizer.encode_batch(texts[start : start + ENCODE_CHUNK], add_special_tokens=False):
            tokens.append(np.array(encoding.ids[:tokens_max], np.int32))
    lengths = [len(row) for row in tokens]
    return Texts(np.concatenate(tokens), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def encode_corpus(pairs: list[dict], prose: list[dict], tokenizer: Tokenizer) -> Corpus:
    """Turn the records of both files into token arrays."""
    return Corpus(
        queries=encode(tokenizer, [pair["query"] for pair in pairs], QUERY_TOKENS_MAX),
        passages=encode(tokenizer, [pair["passage"] for pair in pairs], PASSAGE_TOKENS_MAX),
        prose=encode(tokenizer, [record["text"] for record in prose], PROSE_TOKENS_MAX),
        group=np.array([group_of(pair["source"]) for pair in pairs]),
        page=np.array([digest(pair["page"]) if pair["page"] else -1 for pair in pairs], np.int64),
        query_digest=np.array([digest(pair["query"].lower()) for pair in pairs], np.int64),
        passage_digest=np.array([digest(pair["passage"][:300]) for pair in pairs], np.int64),
    )


@dataclass(frozen=True)
class Pages:
    """The pairs of one group ordered by page, so that a batch can hold whole pages."""

    pairs: np.ndarray
    bounds: np.ndarray

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def of(self, index: int, most: int, random: np.random.Generator) -> np.ndarray:
        """Pairs of one page, at most `most` of them, chosen at random when there are more."""
        pairs = self.pairs[self.bounds[index] : self.bounds[index + 1]]
        return random.choice(pairs, most, replace=False) if len(pairs) > most else pairs


def pages_by_group(corpus: Corpus) -> dict[str, Pages]:
    """For each group with page ids: its pairs ordered by page."""
    pages = {}
    for name in sorted(set(corpus.group)):
        pairs = np.flatnonzero((corpus.group == name) & (corpus.page != -1))
        if len(pairs) == 0:
            continue
        _, page_index = np.unique(corpus.page[pairs], return_inverse=True)
        order = np.argsort(page_index, kind="stable")
        bounds = np.searchsorted(page_index[order], np.arange(page_index.max() + 2))
        pages[name] = Pages(pairs[order], bounds)
    return pages
