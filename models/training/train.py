"""Trains the bundled static embedding from the training texts; one command, seeded, no download.

    python models/training/train.py --data DIR --out models/bundled

DIR holds train_pairs.jsonl.zst and raw_passages.jsonl.zst. README.md tells what is in them and what comes out.
"""

import argparse
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer

import contrastive
import cooccurrence
import late_interaction
from corpus import encode_corpus, read_lines
from export import write_model
from vocabulary import train_tokenizer

DIMENSIONS = 256
CONTRASTIVE_STEPS = 800
LATE_INTERACTION_STEPS = 800
REPORT_EVERY_STEPS = 100


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the training texts")
    parser.add_argument("--out", type=Path, required=True, help="folder for the model")
    parser.add_argument("--learn-vocabulary", action="store_true", help="do not keep the vocabulary found in --out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2, help="another number changes the last digits")
    return parser.parse_args()


def reporter(stage: str, started: float):
    """Print the mean loss of the last steps now and then."""
    losses: list[float] = []

    def report(step: int, steps: int, loss: float) -> None:
        losses.append(loss)
        if len(losses) == REPORT_EVERY_STEPS or step + 1 == steps:
            mean = sum(losses) / len(losses)
            print(f"{time.time() - started:5.0f} s  {stage} {step + 1}/{steps}  loss {mean:.4f}", flush=True)
            losses.clear()

    return report


def main() -> None:
    options = arguments()
    started = time.time()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    torch.use_deterministic_algorithms(True)

    pairs = list(read_lines(options.data / "train_pairs.jsonl.zst"))
    prose = list(read_lines(options.data / "raw_passages.jsonl.zst"))
    known = options.out / "tokenizer.json"
    keeps = known.exists() and not options.learn_vocabulary
    tokenizer = Tokenizer.from_file(str(known)) if keeps else train_tokenizer(pairs, prose)
    corpus = encode_corpus(pairs, prose, tokenizer)
    size = tokenizer.get_vocab_size()
    print(f"{time.time() - started:5.0f} s  {len(pairs)} pairs, {len(prose)} passages, {size} tokens", flush=True)

    vectors = cooccurrence.start_vectors(corpus.prose, size, DIMENSIONS, options.seed)
    table = contrastive.Table(vectors, contrastive.start_weights(corpus.token_counts(size)))
    print(f"{time.time() - started:5.0f} s  start vectors", flush=True)
    contrastive.train(table, corpus, CONTRASTIVE_STEPS, options.seed, reporter("contrastive", started))
    late_interaction.train(table, corpus, LATE_INTERACTION_STEPS, options.seed, reporter("late interaction", started))
    write_model(options.out, tokenizer, table.rows())
    print(f"{time.time() - started:5.0f} s  wrote {options.out}", flush=True)


if __name__ == "__main__":
    main()
