"""Teaches re-ranker and encoder further on a GPU: three teachers, their opinion, a student of it, and the encoder.

distil.py OUT --data DATA.npz --reranker models/verbatim-reranker --encoder models/verbatim-minilm [--seconds 385]

DATA is what pack.py wrote. The folders are those of models as they ship, or as rerank.py and teach.py wrote them. OUT gets
`reranker` and `encoder`, which export.py --weights makes models' folders of. All lessons together take --seconds, on what
torch finds, a GPU or the CPU; reading, labelling and measuring take a fifth of that on top.

1. The re-ranker reads all examples. What it holds to be answered though nothing should answer it is left out, and so are near
   misses that it holds to be far better than the right passage: such a label is more often wrong than the model.
2. Three teachers, which differ in rate, dropout and seed, one of them beginning at the encoder: together they err less than
   each (Hansen and Salamon, "Neural Network Ensembles", 1990; Dietterich, "Ensemble Methods in Machine Learning", 2000).
3. Their mean log odds label the examples, headings of other pages as questions, and general pairs.
4. The first teacher goes on as their student (distil_reranker.py), and the encoder learns from them (distil_encoder.py).
"""

import argparse
from pathlib import Path
from shutil import copyfile

import torch

import bert
import distil_encoder
from distil_reranker import NEVER, Plan, label, teach, together
from measure import measure
from packed import RIGHTS_MAX, TEACHING, Packed, log_odds_of_all, read
from timed import log

SECONDS = 385
TEACHERS = [
    Plan("teacher a", share=0.17, rate=6e-5, dropout=0.1, seed=1),
    Plan("teacher b", share=0.235, rate=1.5e-4, dropout=0.1, seed=2, held=True),
    Plan("teacher c", share=0.17, rate=1.2e-4, dropout=0.15, seed=3),
]
STUDENT = Plan("student", share=0.235, rate=1e-4, dropout=0.05, seed=5)
ENCODER_SHARE = 0.19
# Log odds from which on a question that nothing should answer is doubtful, and by how much a near miss must beat the best
# right passage, or even odds where that is below them, to be so.
ANSWERED_DOUBTFUL, BETTER_DOUBTFUL = 1.0, 2.5
NEAR_MISSES_LEAST = 4


def drop_doubtful(model: bert.CrossEncoder, packed: Packed) -> None:
    asked = packed.sets[TEACHING]
    found = torch.nan_to_num(log_odds_of_all(model, packed, asked.questions[:, 0], asked.candidates), nan=NEVER)
    near, unanswered = found[:, RIGHTS_MAX:], asked.rights == 0
    doubtful = unanswered & (near.max(1).values > ANSWERED_DOUBTFUL)
    is_right = torch.arange(RIGHTS_MAX, device=packed.device) < asked.rights[:, None]
    best = found[:, :RIGHTS_MAX].masked_fill(~is_right, NEVER).max(1, keepdim=True).values
    better = (near > best.clamp(min=0) + BETTER_DOUBTFUL) & ~unanswered[:, None]
    asked.candidates[:, RIGHTS_MAX:].masked_fill_(better, -1)
    enough = (asked.candidates[:, RIGHTS_MAX:] >= 0).sum(1) >= NEAR_MISSES_LEAST
    packed.sets[TEACHING] = asked.only(enough & ~doubtful)
    log("doubtful:", int(doubtful.sum()), "of", int(unanswered.sum()), "unanswerable,", int(better.sum()), "near misses")


def reranker_of(folder: Path, packed: Packed) -> bert.CrossEncoder:
    """Of an encoder's folder, one with an untaught head."""
    model = bert.load_cross_encoder(folder).to(packed.device)
    for layer in model.body.layers:
        layer.fused = True
    return model


def measure_rerankers(name: str, models: list[bert.CrossEncoder], packed: Packed) -> None:
    measure(name, packed, lambda question, candidates: together(models, packed, question, candidates))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--reranker", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    args = parser.parse_args()
    packed = read(args.data, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    shipped = reranker_of(args.reranker, packed)
    drop_doubtful(shipped, packed)
    measure_rerankers("before", [shipped], packed)
    teachers = []
    for plan in TEACHERS:
        begun = reranker_of(args.encoder if plan.held else args.reranker, packed)
        teachers.append(teach(begun, packed, plan, plan.share * args.seconds))
        measure_rerankers(plan.name, teachers[-1:], packed)
    measure_rerankers("teachers together", teachers, packed)
    labels = label(teachers, packed)
    student = teach(teachers[0], packed, STUDENT, STUDENT.share * args.seconds, labels)
    measure_rerankers("student", [student], packed)
    encoder = distil_encoder.teach(args.encoder, packed, labels.teaching, ENCODER_SHARE * args.seconds)
    bert.save_cross_encoder(student.cpu(), args.out / "reranker")
    bert.save(encoder.cpu(), args.out / "encoder")
    for source, made in ((args.reranker, "reranker"), (args.encoder, "encoder")):
        for name in ("tokenizer.json", "tokenizer_config.json"):
            copyfile(source / name, args.out / made / name)


if __name__ == "__main__":
    main()
