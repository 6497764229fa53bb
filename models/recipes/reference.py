"""Writes what the tests hold the shipped MiniLM to: token ids and fp32 vectors of the reference library, as int8, of
which only the direction counts.

reference.py TEXTS.jsonl OUT.jsonl.gz
"""

import argparse
import base64
import gzip
import json
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from export import MAXIMUM_TOKENS, source_folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(source_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    texts = [json.loads(line)["text"] for line in args.texts.read_text().splitlines()]
    vectors = SentenceTransformer(str(source_folder())).encode(texts, normalize_embeddings=True)
    lines = []
    for text, vector in zip(texts, vectors):
        scale = float(np.abs(vector).max()) / 127
        rounded = base64.b64encode(np.round(vector / scale).astype(np.int8).tobytes()).decode()
        row = {"text": text, "ids": tokenizer.encode(text).ids, "vector": rounded}
        lines.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    args.out.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


if __name__ == "__main__":
    main()
