"""Weights by which orders to a model are told, from what dump-features.ts wrote.

usage: fit.py measure LABELLED OTHERS...                 recall on writers left out, at shares of others that are flagged
       fit.py export LABELLED OTHERS... --least X --version DATE > orders.json
LABELLED holds passages of several writers, OTHERS saved pages and texts that give no orders.
Needs numpy, scipy and scikit-learn.
"""

import argparse
import collections
import hashlib
import json
import re
import sys

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression

LEAST_PASSAGES = 3  # that hold a feature, for it to be learned from
STRENGTH = 30.0  # inverse of the penalty
LEAST_WEIGHT = 0.8  # smaller ones are left out, which changes nothing that is measured
POWER, MOST = 0.7, 12.0  # how much more a passage weighs whose language is rare among the others
LIKELIEST = 2  # stretches of a passage that are taken for its order
LURES = 4.0  # and one that only sounds like an order
SHARES = (0.001, 0.002, 0.003, 0.005)

COMMON = {
    "en": "the and of to is", "de": "der die und nicht ist das ein", "fr": "les des est une dans pour et",
    "es": "los las para una por el que con", "it": "che della gli sono una il per con", "pt": "nao uma dos para com os em que",
}
COMMON = {language: {word[:5] for word in words.split()} for language, words in COMMON.items()}
SCRIPTS = {"ru": "[а-я]{3}", "ar": "[\u0600-\u06ff]{2}", "ja": "[\u3040-\u30ff]", "zh": "[\u4e00-\u9fff]"}


def language_of(features):
    beginning = " ".join(features[:60])
    for language, letters in SCRIPTS.items():
        if re.search(letters, beginning):
            return language
    own = set(features)
    return max(COMMON, key=lambda language: len(COMMON[language] & own))


def load(paths, is_real):
    passages = [json.loads(line) for path in paths for line in open(path)]
    for passage in passages:
        passage["isReal"] = is_real
    return [passage for passage in passages if passage["stretches"]]


def vocabulary(passages):
    counts = collections.Counter()
    for passage in passages:
        counts.update({feature for stretch in passage["stretches"] for feature in stretch["features"]})
    return {feature: index for index, feature in enumerate(sorted(f for f, n in counts.items() if n >= LEAST_PASSAGES))}


def rows(passages, known):
    """One row a stretch, as the service weighs it; of each row the number of its passage."""
    ends, indices, sizes, owners = [0], [], [], []
    for number, passage in enumerate(passages):
        for stretch in passage["stretches"]:
            indices.extend(known[f] for f in stretch["features"] if f in known)
            ends.append(len(indices))
            sizes.append(max(1, len(stretch["features"])))
            owners.append(number)
    table = sparse.csr_matrix((np.ones(len(indices), np.float32), indices, ends), shape=(len(owners), len(known)))
    return sparse.diags(1 / np.sqrt(sizes)) @ table, np.array(owners)


def weights_of(passages, owners):
    languages = np.array([language_of(s["features"]) for p in passages for s in p["stretches"]])
    real = np.array([p["isReal"] for p in passages])[owners]
    counts = {language: max(1, (real & (languages == language)).sum()) for language in set(languages)}
    is_lure = np.array([not p["isReal"] and not p["isOrder"] for p in passages])[owners]
    weights = np.where(is_lure, LURES, 1.0)
    for language, count in counts.items():
        weights[real & (languages == language)] = min(MOST, (max(counts.values()) / count) ** POWER)
    return weights


def likeliest(scores, owners, may_be):
    """Of each passage the stretches that say most of its order, by what was learned so far."""
    chosen = np.zeros(len(owners), bool)
    taken = collections.Counter()
    for row in sorted(np.nonzero(may_be)[0], key=lambda row: -scores[row]):
        if taken[owners[row]] < LIKELIEST:
            taken[owners[row]] += 1
            chosen[row] = True
    return chosen


def learn(passages):
    """Not every clause of an order is one by itself: first those count that hold much of it, then the likeliest."""
    known = vocabulary(passages)
    table, owners = rows(passages, known)
    share = np.array([s["share"] for p in passages for s in p["stretches"]])
    covers = np.array([s["covers"] for p in passages for s in p["stretches"]])
    is_order = np.array([p["isOrder"] for p in passages])[owners]
    is_placed = np.array([p["isPlaced"] for p in passages])[owners]
    weights = weights_of(passages, owners)
    negative = ~is_order | (is_placed & (share < 0.05))
    may_be = is_order & is_placed & (share >= 0.6)
    positive = may_be & (covers >= 0.4)
    for is_last in (False, True):
        used = positive | negative
        model = LogisticRegression(C=STRENGTH, solver="liblinear", tol=1e-3 if is_last else 1e-2)
        model.fit(table[used], positive[used], sample_weight=weights[used])
        positive = likeliest(model.decision_function(table), owners, may_be)
    model.coef_[np.abs(model.coef_) < LEAST_WEIGHT] = 0
    return known, model


def judge(passages, known, model):
    table, owners = rows(passages, known)
    best = np.full(len(passages), -np.inf)
    np.maximum.at(best, owners, model.decision_function(table))
    return best


def is_apart(passage):
    return int(hashlib.md5(passage["group"].encode()).hexdigest(), 16) % 4 == 0


def measure(labelled, others, left_out):
    """Others are learned from in three quarters of their groups, and counted in the last."""
    taught, apart = [p for p in others if not is_apart(p)], [p for p in others if is_apart(p)]
    writers = sorted({p["group"] for p in labelled})
    print("| writer left out | " + " | ".join(f"{share:.1%}" for share in SHARES) + " |")
    all_recalls = []
    for writer in left_out or writers:
        known, model = learn([p for p in labelled if p["group"] != writer] + taught)
        limits = [np.quantile(judge(apart, known, model), 1 - share) for share in SHARES]
        own = [p for p in labelled if p["group"] == writer]
        best, is_order = judge(own, known, model), np.array([p["isOrder"] for p in own])
        recalls = [(np.mean(best[is_order] >= limit), np.mean(best[~is_order] >= limit)) for limit in limits]
        all_recalls.append(recalls)
        print(f"| {writer} | " + " | ".join(f"{a:.3f}, {b:.3f}" for a, b in recalls) + " |", flush=True)
    means = np.mean(all_recalls, axis=0)
    print("| mean | " + " | ".join(f"{a:.3f}, {b:.3f}" for a, b in means) + " |")
    known, model = learn(labelled + taught)
    best = judge(apart, known, model)
    print("of all writers:", {f"{share:.1%}": round(float(np.quantile(best, 1 - share)), 2) for share in SHARES})


def export(labelled, others, least, version):
    known, model = learn(labelled + others)
    weights = {feature: round(float(model.coef_[0, index]), 2) for feature, index in known.items() if model.coef_[0, index]}
    answer = {"version": version, "intercept": round(float(model.intercept_[0]), 3), "least": least, "weights": weights}
    json.dump(answer, sys.stdout, ensure_ascii=False, indent=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("measure", "export"))
    parser.add_argument("labelled")
    parser.add_argument("others", nargs="+")
    parser.add_argument("--least", type=float)
    parser.add_argument("--version")
    parser.add_argument("--writers", nargs="*", help="measured in place of all")
    given = parser.parse_args()
    known_passages = load([given.labelled], False), load(given.others, True)
    if given.what == "measure":
        measure(*known_passages, given.writers)
    else:
        export(*known_passages, given.least, given.version)
