"""Fits the standing of texts by themselves, as /v1/rerank takes them, on top of a fit of relevance: trees, curves and everything
of pages stay. Reads what dump-features.ts wrote of the pools of text-pools.ts; see README.md.

texts.py FIT.json DUMP [DUMP ...] [--version NAME] [--no-final]
"""

import argparse
import json
import zlib
from pathlib import Path

import fit as relevance
import numpy as np
from sklearn.linear_model import LogisticRegression

FOLDS = 5
# Of the texts after the first of a pool: a caller takes the first, or all from a score on.
OTHERS_WEIGHT = 0.1
SIZES = (1, 2, 11, 120, 100_000)


def leaves_of(tree: dict, x: np.ndarray) -> np.ndarray:
    """The leaf that each row falls into, as src/score/relevance/relevance-model.ts finds it."""
    column, threshold, below, above, unknown_below, leaves = (
        np.array(tree[name]) for name in ("column", "threshold", "below", "above", "unknownBelow", "leaves")
    )
    node = np.full(len(x), -1 if len(column) == 0 else 0)
    rows = np.nonzero(node >= 0)[0]
    while len(rows):
        at = node[rows]
        value = x[rows, column[at]]
        is_below = np.where(np.isnan(value), unknown_below[at] == 1, value <= threshold[at])
        node[rows] = np.where(is_below, below[at], above[at])
        rows = rows[node[rows] >= 0]
    return leaves[-1 - node]


def probabilities_of(fit: dict, x: np.ndarray, columns: list[str]) -> np.ndarray:
    """What each row is worth by itself."""
    used = x[:, [columns.index(name) for name in fit["columns"]]]
    odds = fit["intercept"] + sum(leaves_of(tree, used) for tree in fit["trees"])
    script = x[:, columns.index("script")].astype(int)
    by_script = [relevance.apply_curve(fit["curves"][name], odds) for name in relevance.SCRIPTS]
    return np.choose(script, by_script)


def best_pieces(pages: list[int], p: np.ndarray) -> np.ndarray:
    """A row for each text: its best piece."""
    best: dict[int, int] = {}
    for row, page in enumerate(pages):
        if page not in best or p[row] > p[best[page]]:
            best[page] = row
    return np.array(list(best.values()))


def describe(question: dict, p: np.ndarray, columns: list[str]) -> dict:
    """The best texts of a pool as the standing weighs them, and which of them answer."""
    rows = best_pieces(question["pages"], p)
    pool = relevance.beside_rivals(p[rows])
    best = np.argsort(-p[rows], kind="stable")[: relevance.RETURNED]
    of_pool = [np.log(question["pool"]), question["x"][0, columns.index("answerable")]]
    x = np.column_stack([pool[best], np.tile(of_pool, (len(best), 1))])
    return {"x": x, "y": question["y"][rows][best], "pool": question["pool"], "lang": question["lang"], "id": question["id"]}


def train(pools: list[dict]) -> LogisticRegression:
    weights = [1 if place == 0 else OTHERS_WEIGHT for pool in pools for place in range(len(pool["y"]))]
    x, y = np.concatenate([pool["x"] for pool in pools]), np.concatenate([pool["y"] for pool in pools])
    return LogisticRegression(C=10, max_iter=2000).fit(x, y, sample_weight=weights)


def judge_by(standing: dict, pool: dict) -> np.ndarray:
    names = ("logOdds", "lead", "field", "size", "answerable")
    return 1 / (1 + np.exp(-(pool["x"] @ [standing[name] for name in names] + standing["intercept"])))


def report(name: str, pools: list[dict], judged: list[np.ndarray]) -> None:
    first = [(own[0], pool["y"][0]) for pool, own in zip(pools, judged)]
    said = [f"all {relevance.ece(first):.3f}"]
    groups = [(f"from {low} texts", [low <= pool["pool"] < high for pool in pools]) for low, high in zip(SIZES, SIZES[1:])]
    groups += [(lang, [(pool["lang"] == "en") == (lang == "English") for pool in pools]) for lang in ("English", "others")]
    for group, inside in groups:
        pairs = [pair for pair, is_in in zip(first, inside) if is_in]
        over = np.mean([a - b for a, b in pairs])
        said.append(f"{group} {relevance.ece(pairs):.3f} ({over:+.2f} of {len(pairs)})")
    five = [pair for pool, own in zip(pools, judged) for pair in zip(own, pool["y"])]
    print(f"{name}: ECE of the first {', '.join(said)}; of the best five {relevance.ece(five):.3f}")


def by_folds(pools: list[dict], fold_of) -> list[np.ndarray]:
    folds = [fold_of(pool) for pool in pools]
    models = {fold: train([pool for pool, own in zip(pools, folds) if own != fold]) for fold in set(folds)}
    return [models[fold].predict_proba(pool["x"])[:, 1] for pool, fold in zip(pools, folds)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("fit", type=Path)
    parser.add_argument("dumps", nargs="+")
    parser.add_argument("--version")
    parser.add_argument("--no-final", action="store_true")
    args = parser.parse_args()
    columns = json.loads(Path(f"{args.dumps[0]}.columns.json").read_text())
    fit = json.loads(args.fit.read_text())
    questions = [q for dump in args.dumps for q in relevance.read_dump(dump)]
    p = probabilities_of(fit, np.concatenate([q["x"] for q in questions]), columns)
    ends = np.cumsum([q["rows"] for q in questions])
    pools = [describe(q, own, columns) for q, own in zip(questions, np.split(p, ends[:-1]))]
    print(len(pools), "pools")
    report("before", pools, [judge_by(fit["standings"]["texts"], pool) for pool in pools])
    report("folds by set and query", pools, by_folds(pools, lambda pool: zlib.crc32(pool["id"].encode()) % FOLDS))
    report("collections left out", pools, by_folds(pools, lambda pool: pool["id"].split("|")[0].split("_")[0]))
    if args.no_final:
        return
    model = train(pools)
    own, lead, field, size, answerable = model.coef_[0]
    # The order of a pool must stay.
    assert own > 0 and lead >= 0 and field >= 0
    weights = {"logOdds": own, "lead": lead, "field": field, "leadMax": relevance.LEAD_MAX, "size": size}
    weights |= {"answerable": answerable, "intercept": model.intercept_[0]}
    fit["standings"]["texts"] = {name: round(float(value), 4) for name, value in weights.items()}
    fit["version"] = args.version or fit["version"]
    args.fit.write_text(json.dumps(fit, separators=(",", ":")) + "\n")
    print(fit["standings"]["texts"])


if __name__ == "__main__":
    main()
