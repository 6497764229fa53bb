"""Fits the highlight map: which part of a passage answers. Reads what models/relevance/dump-features.ts wrote; see README.md.

fit.py OUT.json DUMP [DUMP ...] [--folds 4] [--version NAME] [--no-report] [--sets withReranker ...]

A conditional logit (McFadden 1974) over the parts of a passage: the probability that a part answers is that of its passage
times the part's share, softmax of the weighted features. Figures are of folds by page, relevance of folds included. With
--sets, the weights of the other sets stay as OUT.json has them.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "relevance"))
import fit as relevance  # noqa: E402

from logit import OF_MODEL, OF_RERANKER, centred, fit_weights, label  # noqa: E402

SCRIPTS = relevance.SCRIPTS
# Passages of a question, best first, whose parts an answer may be filled from.
PASSAGES = 30
# The columns that nothing is known of where a re-ranker told a passage part by part, where an embedding model alone read it,
# and where none did.
SETS = {"withReranker": (), "withModel": OF_RERANKER, "withoutModel": OF_RERANKER + OF_MODEL}
# The questions that the head was taught with, of which it says more than it will of others.
TAUGHT_SET = "train.jsonl"
BUDGETS = (500, 1000, 2000)


def read_parts(path: str, questions: list[dict]) -> list[str]:
    columns = json.loads(Path(f"{path}.part-columns.json").read_text())
    values = np.fromfile(f"{path}.parts", dtype=np.float32).reshape(-1, len(columns))
    at = 0
    for question in questions:
        question["parts"] = []
        for spans in question["spans"]:
            question["parts"].append(values[at : at + len(spans)])
            at += len(spans)
    assert at == len(values)
    return columns


def softmax(u: np.ndarray) -> np.ndarray:
    e = np.exp(u - u.max())
    return e / e.sum()


def script_of(question: dict, column: int, row: int) -> int:
    return int(question["x"][row, column])


def choose(passages: list[dict], budget: int) -> list[tuple[int, int, int]]:
    """As fill-budget.ts: grows runs of parts, best gain per character first, never beyond the budget."""
    runs: dict[int, tuple[int, int]] = {}
    used = 0
    while True:
        best = None
        for at, passage in enumerate(passages):
            spans, p = passage["spans"], passage["p"]
            have = runs.get(at)
            cost_before = spans[have[1]][1] - spans[have[0]][0] if have else 0
            gain_before = p[have[0] : have[1] + 1].sum() if have else 0.0
            first_range = range(0, have[0] + 1) if have else range(len(spans))
            for first in first_range:
                for last in range(have[1] if have else first, len(spans)):
                    if have and (first, last) == have:
                        continue
                    cost = spans[last][1] - spans[first][0] - cost_before
                    if used + cost > budget or cost <= 0:
                        continue
                    gain = p[first : last + 1].sum() - gain_before
                    rate = gain / (cost + 20)
                    if best is None or rate > best[0]:
                        best = (rate, at, first, last, cost)
        if best is None or best[0] <= 0:
            break
        _, at, first, last, cost = best
        runs[at] = (first, last)
        used += cost
        if len(runs) > 25:
            break
    return [(at, first, last) for at, (first, last) in runs.items()]


def holds(runs: list[list[int]], first: int, last: int) -> bool:
    return any(first <= a and b <= last for a, b in runs)


def report(questions: list[dict], shares: list[list[np.ndarray]], probabilities: list[np.ndarray], columns: list[str]) -> None:
    cosine = columns.index("cosine")
    found = {budget: [] for budget in BUDGETS}
    cut, sentence = {b: [] for b in BUDGETS}, {b: [] for b in BUDGETS}
    pairs, held, held_cosine, share_of, by_top = [], [], [], [], []
    for question, share, p in zip(questions, shares, probabilities):
        if question["style"] in ("unanswerable", "unanswered") or question["set"] not in ("questions", "questions-2"):
            if question["style"] == "unanswerable":
                for row in np.argsort(-p)[:5]:
                    for s in share[row]:
                        pairs.append((p[row] * s, 0))
            continue
        order = np.argsort(-p, kind="stable")[:PASSAGES]
        for row in order[:5]:
            y = label(question["runs"][row], len(share[row]))
            pairs += [(p[row] * s, bool(ok)) for s, ok in zip(share[row], y)]
        first = order[0]
        if question["runs"][first]:
            spans = question["spans"][first]
            whole = question["lengths"][first]
            chosen = highlighted(share[first])
            held.append(any(set(range(a, b + 1)) <= chosen for a, b in question["runs"][first]))
            share_of.append(sum(spans[k][1] - spans[k][0] for k in chosen) / whole)
            top = int(np.argmax(share[first]))
            by_top.append(holds(question["runs"][first], top, top))
            c = question["parts"][first][:, cosine]
            held_cosine.append(not np.isnan(c).all() and holds(question["runs"][first], int(np.nanargmax(c)), int(np.nanargmax(c))))
        passages = [{"spans": question["spans"][row], "p": p[row] * share[row]} for row in order]
        for budget in BUDGETS:
            runs = choose(passages, budget)
            found[budget].append(any(holds(question["runs"][order[at]], a, b) for at, a, b in runs))
            cut[budget].append(in_cut(question, order, budget))
            sentence[budget].append(in_best_sentences(question, order, cosine, budget))
    print("| budget | parts by gain | snippets cut off | best sentence by cosine |")
    for budget in BUDGETS:
        print(f"| {budget} | {np.mean(found[budget]):.3f} | {np.mean(cut[budget]):.3f} | {np.mean(sentence[budget]):.3f} |  n {len(found[budget])}")
    print(f"first snippet answers: {len(held)}; highlight holds the answer {np.mean(held):.3f} in {np.mean(share_of):.3f} of its characters; best part alone {np.mean(by_top):.3f}, by cosine {np.mean(held_cosine):.3f}")
    print(f"ECE of parts {relevance.ece(pairs):.3f} over {len(pairs)}; of those ≥ .2: {relevance.ece([q for q in pairs if q[0] >= 0.2]):.3f}")


# As src/search/highlights/highlight.ts has them.
MASS = 0.65
SHARE_OF_BEST = 0.3


def highlighted(share: np.ndarray) -> set[int]:
    kept, mass = set(), 0.0
    for at in np.argsort(-share, kind="stable"):
        if mass >= MASS or share[at] < share.max() * SHARE_OF_BEST:
            break
        kept.add(int(at))
        mass += share[at]
    return kept


def in_cut(question: dict, order: np.ndarray, budget: int) -> bool:
    """Snippets one after the other until the budget is used up; the last is cut off."""
    left = budget
    for row in order:
        for a, b in question["runs"][row]:
            if question["spans"][row][b][1] <= left:
                return True
        left -= question["lengths"][row]
        if left <= 0:
            break
    return False


def in_best_sentences(question: dict, order: np.ndarray, cosine: int, budget: int) -> bool:
    """The parts of all passages by the model's cosine alone."""
    parts = [(question["parts"][row][k, cosine], row, k) for row in order for k in range(len(question["spans"][row]))]
    parts = sorted((p for p in parts if not np.isnan(p[0])), key=lambda p: -p[0])
    left = budget
    taken: dict[int, set[int]] = {}
    for _, row, k in parts:
        length = question["spans"][row][k][1] - question["spans"][row][k][0]
        if length > left:
            continue
        left -= length
        taken.setdefault(row, set()).add(k)
    return any(set(range(a, b + 1)) <= taken.get(row, set()) for row in taken for a, b in question["runs"][row])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("dumps", nargs="+")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--version", default="unnamed")
    parser.add_argument("--no-report", action="store_true")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    args = parser.parse_args()
    table_columns = json.loads(Path(f"{args.dumps[0]}.columns.json").read_text())
    questions, columns = [], []
    for dump in args.dumps:
        part = relevance.read_dump(dump)
        columns = read_parts(dump, part)
        questions += part
    if not args.no_report:
        measure(questions, columns, table_columns, args.folds)
    out = Path(args.out)
    fits = json.loads(out.read_text()) if out.exists() else {}
    for name in args.sets:
        groups = groups_of(questions, columns, name)
        weights = [0 if column in SETS[name] else round(float(w), 5) for column, w in zip(columns, fit_weights(groups))]
        fits[name] = dict(zip(columns, weights))
        print(f"{name}: {len(groups)} passages")
    kept = {name: {column: fits[name].get(column, 0) for column in columns} for name in SETS}
    out.write_text(json.dumps({"version": args.version} | kept, indent=2) + "\n")


def is_told(parts: np.ndarray, columns: list[str]) -> bool:
    """Whether a re-ranker told the passage part by part. As highlight-map.ts has it."""
    return not np.isnan(parts[:, columns.index(*OF_RERANKER)]).all()


def groups_of(questions: list[dict], columns: list[str], name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Passages of which some parts answer and some do not: features, and which answer."""
    gone = [columns.index(column) for column in SETS[name]]
    groups = []
    for question in questions:
        for parts, runs in zip(question["parts"], question["runs"]):
            y = label(runs, len(parts))
            if not y.any() or y.all():
                continue
            if name == "withReranker" and (question["set"] == TAUGHT_SET or not is_told(parts, columns)):
                continue
            x = centred(parts)
            x[:, gone] = 0
            groups.append((x, y))
    return groups


def share_of(parts: np.ndarray, columns: list[str], weights: dict[str, np.ndarray]) -> np.ndarray:
    if len(parts) == 0:
        return np.zeros(0)
    return softmax(centred(parts) @ weights["withReranker" if is_told(parts, columns) else "withModel"])


def measure(questions: list[dict], columns: list[str], table_columns: list[str], folds: int) -> None:
    """Prints what folds by page give, relevance and shares both left out."""
    extra = [copy for copy in (relevance.unanswered(q, table_columns) for q in questions) if copy is not None]
    used = list(range(len(table_columns)))
    used = [at for at in used if not all(np.isnan(q["x"][:, at]).all() for q in questions[:400])]
    names = [table_columns[at] for at in used]
    script = table_columns.index("script")
    raw: list[np.ndarray] = [np.zeros(0)] * len(questions)
    for fold in range(folds):
        inside = [q for q in questions + extra if relevance.fold_of(q, folds) != fold]
        model = relevance.train(inside, used, names)
        for at, question in enumerate(questions):
            if relevance.fold_of(question, folds) == fold:
                raw[at] = relevance.log_odds(model, question, used)
    curves = relevance.curves_of(questions, raw, script)
    by_script = [SCRIPTS[int(np.bincount(q["x"][:, script].astype(int), minlength=4).argmax())] for q in questions]
    probabilities = [relevance.apply_curve(curves[name], s) for name, s in zip(by_script, raw)]
    _, probabilities = relevance.standing_of(questions, probabilities, folds)

    shares: list[list[np.ndarray]] = [[]] * len(questions)
    for fold in range(folds):
        inside = [q for q in questions if relevance.fold_of(q, folds) != fold]
        weights = {name: fit_weights(groups_of(inside, columns, name)) for name in ("withReranker", "withModel")}
        for at, question in enumerate(questions):
            if relevance.fold_of(question, folds) == fold:
                shares[at] = [share_of(parts, columns, weights) for parts in question["parts"]]
    report(questions, shares, probabilities, columns)


if __name__ == "__main__":
    main()
