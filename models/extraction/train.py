"""Training, step 2: boosted trees that tell content from boilerplate, from the features that dump-features.ts wrote.

usage: train.py cv FOLDER [TREES LEAVES RATE]      five folds split by domain; out-of-fold weights to FOLDER/oof.json
       train.py export FOLDER OUTPUT.json          learns from all pages and writes the trees that the service loads
Needs numpy and lightgbm (4.x).
"""

import json
import sys

import lightgbm as lgb
import numpy as np

TREES, LEAVES, RATE = 160, 24, 0.08


def load(folder):
    meta = json.load(open(f"{folder}/pages.json"))
    rows = np.fromfile(f"{folder}/features.f32", dtype=np.float32).reshape(-1, len(meta["features"]))
    return meta, rows


def weigh(pages):
    """One page weighs as much as any other; inside a page a run weighs as its words, with a floor for short ones."""
    labels = np.concatenate([np.array(p["labels"], float) for p in pages])
    tokens = np.concatenate([np.array(p["tokens"], float) for p in pages])
    page = np.repeat(np.arange(len(pages)), [len(p["labels"]) for p in pages])
    full = np.array([p["full"] for p in pages])[page]
    content = np.zeros(len(pages))
    np.add.at(content, page, tokens * (labels >= 0.5))
    weights = np.where(full, (tokens + 1.5) / np.maximum(content[page], 60) * 100, 0).clip(0, 30)
    weights[~full & (labels >= 0)] = 1.0
    weights[labels < 0] = 0.0
    return labels, tokens, page, weights


def parameters(leaves, rate):
    return dict(
        objective="binary", learning_rate=rate, num_leaves=leaves, min_data_in_leaf=60, feature_fraction=0.5,
        bagging_fraction=0.8, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=2, seed=1, deterministic=True,
    )


def learn(rows, labels, weights, use, trees, leaves, rate):
    data = lgb.Dataset(rows[use], (labels[use] >= 0.5).astype(int), weight=weights[use])
    return lgb.train(parameters(leaves, rate), data, trees)


def report(pages, labels, tokens, predicted):
    """Run-level precision, recall and F1, the mean over pages: a quick stand-in for the scorer."""
    ends = np.cumsum([len(p["labels"]) for p in pages])
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3):
        scores = []
        for p, end in zip(pages, ends):
            if not p["full"]:
                continue
            part = slice(end - len(p["labels"]), end)
            words, share, kept = tokens[part], labels[part].clip(0, 1), predicted[part] >= threshold
            right = (words * share * kept).sum()
            precision = right / max((words * kept).sum(), 1e-9)
            recall = right / max((words * share).sum(), 1e-9)
            scores.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)))
        print(threshold, "P %.4f R %.4f F1 %.4f" % tuple(np.mean(scores, 0)))


def cross_validate(folder, trees, leaves, rate):
    meta, rows = load(folder)
    pages = meta["pages"]
    labels, tokens, page, weights = weigh(pages)
    fold = np.array([p["fold"] for p in pages])[page]
    predicted = np.zeros(len(labels))
    for k in np.unique(fold):
        model = learn(rows, labels, weights, (weights > 0) & (fold != k), trees, leaves, rate)
        predicted[fold == k] = model.predict(rows[fold == k])
    report(pages, labels, tokens, predicted)
    ends = np.cumsum([len(p["labels"]) for p in pages])
    oof = {p["id"]: predicted[e - len(p["labels"]) : e].round(4).tolist() for p, e in zip(pages, ends)}
    json.dump(oof, open(f"{folder}/oof.json", "w"))


def flatten(node, tree):
    """Preorder: the left child follows its parent, so only the right one is written. Leaves have feature -1."""
    at = len(tree["feature"])
    leaf = "split_feature" not in node
    tree["feature"].append(-1 if leaf else node["split_feature"])
    tree["value"].append(float("%.4g" % node["leaf_value"]) if leaf else float("%.7g" % node["threshold"]))
    tree["right"].append(0)
    if not leaf:
        flatten(node["left_child"], tree)
        tree["right"][at] = len(tree["feature"])
        flatten(node["right_child"], tree)


def export(folder, output, trees, leaves, rate):
    meta, rows = load(folder)
    labels, _, _, weights = weigh(meta["pages"])
    model = learn(rows, labels, weights, weights > 0, trees, leaves, rate)
    flat = dict(feature=[], value=[], right=[])
    roots = []
    for info in model.dump_model()["tree_info"]:
        roots.append(len(flat["feature"]))
        flatten(info["tree_structure"], flat)
    json.dump(dict(features=meta["features"], roots=roots, **flat), open(output, "w"), separators=(",", ":"))


if __name__ == "__main__":
    command, folder, *rest = sys.argv[1:]
    if command == "cv":
        cross_validate(folder, *([int(rest[0]), int(rest[1]), float(rest[2])] if rest else [TREES, LEAVES, RATE]))
    else:
        export(folder, rest[0], TREES, LEAVES, RATE)
