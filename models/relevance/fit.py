"""Fits the learned relevance of one stage: boosted trees over the feature table, the curves that make their sum a
probability, and what that is worth beside the rest of a pool. Reads what dump-features.ts wrote; see README.md.

fit.py STAGE OUT.json DUMP [DUMP ...] [--folds 5] [--without COLUMN ...] [--aside SET ...] [--version NAME] [--no-final]
       [--of-folds FOLDER]

FOLDER gets what was fitted without each fold, as STAGE.K.json, by which dump-features.ts chooses what the next stage reads:
a fit that knew the questions would choose their answers more often than the service can.
"""

import argparse
import json
import zlib
from pathlib import Path

import lightgbm as lgb
import numpy as np

SCRIPTS = ("english", "latin", "dense", "other")
# A passage that is closer to the query, or holds more of its words, is never judged worse for it.
RISING = ("cosine", "bestSentence", "maxSim", "bodyMaxSim", "crossEncoder", "coverFull", "bm25Full", "staticFullMaxSim")
PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 80,
    "lambda_l2": 5.0,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "monotone_constraints_method": "intermediate",
    "verbosity": -1,
    "num_threads": 1,
    "seed": 7,
}
ROUNDS = 350
# Shares of a set's weight: questions over whole pages decide, headings and passages of old sets keep it general, and those
# that the models were taught on weigh little, since they do better on them than they will on the rest.
SET_WEIGHT = {"questions": 1.5, "questions-2": 1.5, "train": 0.25, "written": 0.6, "headings": 0.4}
# Of the sets named by --aside neither a curve nor a promise is made: they hold more questions without an answer than people
# ask.
ASIDE: set[str] = set()
LABELLED_WEIGHT = 0.25
# Of questions in other languages than English: what models say is worth less there, and a fifth of the questions must teach it.
OTHER_LANGUAGES_WEIGHT = 3
# Of a question whose answers were taken out of its pool.
UNANSWERED_WEIGHT = 0.3
# One question in so many is learned from as if each passage stood alone, as texts to be re-ranked and short pages do: else
# having no neighbour would mean the ends of a long page, where menus are.
ALONE_EVERY = 3
CURVE_POINTS = 12
PROMISED_ERRORS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
# Passages that a search returns of its five pages, about.
RETURNED = 5
# Probabilities nearer to 0 or 1 than this say no more; as in src/score/relevance/standing.ts.
LEAST_PROBABILITY = 0.0005
# A longer lead over the best other passage tells no more.
LEAD_MAX = 4.0
# Rivals that make the field; as in src/score/relevance/standing.ts.
RIVALS = 4
# Log odds and the two leads, the first columns of a standing.
RISING_WEIGHTS = 3
# The set of pools of texts by themselves, of one to hundreds: what short pages are worth is told by a standing made of them.
TEXTS = "texts"


def read_dump(path: str) -> list[dict]:
    columns = json.loads(Path(f"{path}.columns.json").read_text())
    values = np.fromfile(f"{path}.rows", dtype=np.float32).reshape(-1, len(columns))
    questions, at = [], 0
    # Not splitlines, which takes the line separators of a page for the ends of lines.
    for line in Path(f"{path}.jsonl").read_text().rstrip("\n").split("\n"):
        question = json.loads(line)
        question["x"] = values[at : at + question["rows"]]
        question["y"] = np.array(question["labels"])
        at += question["rows"]
        questions.append(question)
    return questions


def fold_of(question: dict, folds: int) -> int:
    """By page, so that no page is fitted and judged in one."""
    return zlib.crc32(question["id"].encode()) % folds


def weight_of(question: dict) -> float:
    share = UNANSWERED_WEIGHT if question["style"] == "unanswered" else 1
    if question["lang"] != "en" and question["style"] != "labelled":
        share *= OTHER_LANGUAGES_WEIGHT
    return share * SET_WEIGHT.get(question["set"], LABELLED_WEIGHT)


def unanswered(question: dict, columns: list[str]) -> dict | None:
    """The same question over the same pages less the passages that answer it, so that being the best of a pool does not
    pass for an answer. How the rest compares with each other is made anew, as feature-table.ts does."""
    if not question["y"].any() or question["style"] == "labelled":
        return None
    gone = question["y"] == 1
    x, pages = question["x"][~gone].copy(), np.array(question["pages"])[~gone]
    if len(x) < 5:
        return None
    for gap, name in enumerate(columns):
        if not name.endswith("Gap") or name.endswith("PageGap"):
            continue
        column = columns.index(name[: -len("Gap")])
        values, before = x[:, column], question["x"][gone, column]
        if np.isnan(values).all():
            continue
        best = np.nanmax(values)
        above = (before[None, :] > values[:, None]).sum(1)
        known = ~np.isnan(values)
        x[known, gap] = values[known] - best
        x[known, gap + 1] = np.log1p(np.maximum(0, np.round(np.expm1(x[known, gap + 1])) - above[known]))
        for page in np.unique(pages):
            there = known & (pages == page)
            if there.any():
                x[there, gap + 2] = values[there].max() - best
    kept = np.nonzero(~gone)[0]
    forget_neighbours(x, np.array(question["places"]), kept, columns)
    return question | {
        "x": x,
        "y": np.zeros(len(x), dtype=question["y"].dtype),
        "rows": len(x),
        "pages": pages.tolist(),
        "lengths": [question["lengths"][at] for at in kept],
        "places": [question["places"][at] for at in kept],
        "style": "unanswered",
    }


def forget_neighbours(x: np.ndarray, places: np.ndarray, kept: np.ndarray, columns: list[str]) -> None:
    """What stood beside a passage that was taken out is not known."""
    gone = set(places.tolist()) - set(places[kept].tolist())
    for name, step in (("Before", -1), ("After", 1)):
        beside = [place + step in gone for place in places[kept].tolist()]
        for column in (at for at, column in enumerate(columns) if column.endswith(name)):
            x[beside, column] = np.nan


def alone(questions: list[dict], columns: list[str]) -> None:
    """Takes what stands beside a passage from some of the questions, by page."""
    beside = [at for at, column in enumerate(columns) if column.endswith(("Before", "After"))]
    for question in questions:
        if zlib.crc32(f"alone {question['id']} {question['style']}".encode()) % ALONE_EVERY == 0:
            question["x"][:, beside] = np.nan


def stack(questions: list[dict], used: list[int]):
    x = np.concatenate([q["x"][:, used] for q in questions])
    y = np.concatenate([q["y"] for q in questions])
    # Every question weighs the same, however many passages its pool has.
    w = np.concatenate([np.full(q["rows"], weight_of(q) * 60 / q["rows"]) for q in questions])
    return x, y, w


def train(questions: list[dict], used: list[int], names: list[str], rounds: int = ROUNDS) -> lgb.Booster:
    x, y, w = stack(questions, used)
    rising = [1 if name in RISING else 0 for name in names]
    data = lgb.Dataset(x, y, weight=w, feature_name=names)
    return lgb.train(PARAMETERS | {"monotone_constraints": rising}, data, num_boost_round=rounds)


def log_odds(model: lgb.Booster, question: dict, used: list[int]) -> np.ndarray:
    return model.predict(question["x"][:, used], raw_score=True)


def fit_curve(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> list[list[float]]:
    """Isotonic regression (Zadrozny and Elkan, KDD 2002), thinned to a few points of equal weight."""
    from sklearn.isotonic import IsotonicRegression

    iso = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(scores, labels, sample_weight=weights)
    # Equal steps of log odds where the mass is, more of them at the top, where answers are.
    lo, hi = np.quantile(scores, 0.02), scores.max()
    points = np.linspace(lo, hi, 4 * CURVE_POINTS)
    smooth = np.convolve(np.pad(iso.predict(points), 3, mode="edge"), np.ones(7) / 7, mode="valid")
    keep = np.linspace(0, len(points) - 1, CURVE_POINTS).round().astype(int)
    return [[round(float(points[k]), 4), round(float(np.clip(smooth[k], 0.001, 0.999)), 4)] for k in keep]


def curves_of(questions: list[dict], scores: list[np.ndarray], script: int) -> dict:
    rows = {name: ([], [], []) for name in SCRIPTS}
    everything = ([], [], [])
    for question, score in zip(questions, scores):
        if is_left_out(question):
            continue
        group = SCRIPTS[int(np.bincount(question["x"][:, script].astype(int), minlength=4).argmax())]
        for target in (rows[group], everything):
            target[0].append(score)
            target[1].append(question["y"])
            target[2].append(np.full(len(score), weight_of(question)))
    join = lambda parts: tuple(np.concatenate(p) for p in parts)
    fallback = fit_curve(*join(everything))
    return {name: fit_curve(*join(parts)) if sum(map(len, parts[0])) > 3000 else fallback for name, parts in rows.items()}


def error_bound(wrong: int, count: int) -> float:
    """Clopper and Pearson's upper bound (Biometrika 1934): with 95 % confidence the error is no greater."""
    from scipy.stats import beta

    return 1.0 if wrong >= count else float(beta.ppf(0.95, wrong + 1, count - wrong))


def log_odds_of(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    return np.log(p / (1 - p))


def beside_rivals(p: np.ndarray) -> np.ndarray:
    """Of every passage of a pool its log odds and its leads over the best other one and over the mean of its best rivals:
    (passages, 3). As src/score/relevance/standing.ts has them."""
    odds = log_odds_of(p)
    best = np.sort(odds)[::-1][: RIVALS + 1]
    leads = np.zeros((len(odds), 2))
    for at, own in enumerate(odds if len(odds) > 1 else []):
        place = int(np.argmax(best == own)) if own in best else len(best) - 1
        rivals = np.delete(best, place)[:RIVALS]
        leads[at] = own - rivals[0], own - rivals.mean()
    return np.column_stack([odds, np.clip(leads, -LEAD_MAX, LEAD_MAX)])


def is_texts(question: dict) -> bool:
    """Whether its passages stand by themselves, without title or heading."""
    return question["style"] == "labelled"


def is_left_out(question: dict) -> bool:
    """Whether neither curves nor promises nor the standing of pages are made of a question."""
    return question["style"] in ("unanswered", "labelled", "heading") or question["set"] in ASIDE


def regress(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and intercept of a logistic regression. Log odds and leads weigh nothing rather than less: no passage is judged
    worse for standing out, as few pools can make it seem."""
    from sklearn.linear_model import LogisticRegression

    kept = list(range(x.shape[1]))
    while True:
        model = LogisticRegression().fit(x[:, kept], y)
        weights = np.zeros(x.shape[1])
        weights[kept] = model.coef_[0]
        least = int(np.argmin(weights[:RISING_WEIGHTS]))
        if weights[least] >= 0:
            return weights, float(model.intercept_[0])
        kept.remove(least)


def standing_of(questions: list[dict], probabilities: list[np.ndarray], folds: int) -> tuple[dict, list[np.ndarray]]:
    """One that stands out of its pool is right more often than its own evidence says, and how much of many or few is told by
    the pool's size: a logistic regression over the passages that a search would return, and what it makes of every pool when the
    pool's fold is left out."""
    pools = [np.column_stack([beside_rivals(p), np.full(len(p), log_size(q))]) for q, p in zip(questions, probabilities)]
    x, y, fold = [], [], []
    for question, pool, own in zip(questions, pools, probabilities):
        if question["set"] != TEXTS and is_left_out(question):
            continue
        for passage in np.argsort(-own, kind="stable")[:RETURNED]:
            x.append(pool[passage])
            y.append(question["y"][passage])
            fold.append(fold_of(question, folds))
    x, y, fold = np.array(x), np.array(y), np.array(fold)
    by_fold = [regress(x[fold != left_out], y[fold != left_out]) for left_out in range(folds)]
    judge = lambda pool, weights, intercept: 1 / (1 + np.exp(-(pool @ weights + intercept)))
    judged = [judge(pool, *by_fold[fold_of(q, folds)]) for q, pool in zip(questions, pools)]
    (own, lead, field, size), intercept = regress(x, y)
    weights = {"logOdds": own, "lead": lead, "field": field, "leadMax": LEAD_MAX, "size": size, "answerable": 0, "intercept": intercept}
    return {name: round(float(value), 4) for name, value in weights.items()}, judged


def log_size(question: dict) -> float:
    """Of pools of texts, which come in every size; those of pages are all of some pages and told nothing by it."""
    return float(np.log(question["pool"])) if is_texts(question) else 0.0


def promises_of(questions: list[dict], probabilities: list[np.ndarray], folds: int) -> list[dict]:
    """For some shares of error, the least score by which they are kept, of the first passages and of all that would be
    returned, on questions left out of the fit. Questions without an answer are among them."""
    scores, right, first = [], [], []
    for at, question in enumerate(questions):
        if is_left_out(question):
            continue
        for rank, passage in enumerate(np.argsort(-probabilities[at], kind="stable")[:RETURNED]):
            scores.append(probabilities[at][passage])
            right.append(question["y"][passage])
            first.append(rank == 0)
    scores, right, first = np.array(scores), np.array(right), np.array(first)
    kept = []
    for allowed in PROMISED_ERRORS:
        for least in np.quantile(scores[first], np.linspace(0, 0.99, 100)):
            bounds = []
            for rows in (first & (scores >= least), scores >= least):
                bounds.append(error_bound(int((right[rows] == 0).sum()), int(rows.sum())))
            if max(bounds) <= allowed:
                print(f"error ≤ {allowed}: score ≥ {least:.3f}, which answers {np.mean(scores[first] >= least):.3f}")
                kept.append({"maxError": allowed, "least": round(float(least), 4)})
                break
    return kept


def apply_curve(curve: list[list[float]], scores: np.ndarray) -> np.ndarray:
    return np.interp(scores, [p[0] for p in curve], [p[1] for p in curve])


def export_tree(node: dict) -> dict:
    out = {"column": [], "threshold": [], "below": [], "above": [], "unknownBelow": [], "leaves": []}

    def visit(part: dict) -> int:
        if "leaf_value" in part and "split_feature" not in part:
            out["leaves"].append(float(f"{part['leaf_value']:.6g}"))
            return -len(out["leaves"])
        at = len(out["column"])
        out["column"].append(part["split_feature"])
        out["threshold"].append(float(f"{part['threshold']:.7g}"))
        out["unknownBelow"].append(1 if part["default_left"] else 0)
        out["below"].append(0)
        out["above"].append(0)
        out["below"][at] = visit(part["left_child"])
        out["above"][at] = visit(part["right_child"])
        return at

    visit(node)
    return out


def write_fit(path: Path, version: str, model: lgb.Booster, judged: dict) -> None:
    trees = [export_tree(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    fit = {"version": version, "intercept": 0, "trees": trees} | judged
    path.write_text(json.dumps(fit, separators=(",", ":")) + "\n")


def ece(pairs: list[tuple[float, float]]) -> float:
    p, y = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    bins = np.minimum(9, (p * 10).astype(int))
    return sum(abs(p[bins == b].sum() - y[bins == b].sum()) for b in range(10)) / max(1, len(p))


def report(questions: list[dict], probabilities: list[np.ndarray]) -> None:
    groups: dict[str, list] = {}
    first, unanswerable, taken = {}, {}, []
    for question, p in zip(questions, probabilities):
        order = np.argsort(-p, kind="stable")
        hit = np.nonzero(question["y"][order])[0]
        rank = hit[0] if len(hit) else 999
        if question["style"] == "unanswered":
            taken.append(p[order[0]])
            continue
        answerable = question["style"] != "unanswerable"
        if is_texts(question):
            kind = f"texts of {10 ** int(np.log10(question['pool']))} and more" if question["set"] == TEXTS else "labelled"
            groups.setdefault(kind, []).append((rank, question["lengths"][order[0]])) if len(hit) else None
            first.setdefault(kind, []).append((p[order[0]], question["y"][order[0]]))
            if len(hit) == 0:
                unanswerable.setdefault(kind, []).append(p[order[0]])
            continue
        if answerable:
            for key in (question["set"], f"{question['set']}:{question['style']}", f"{question['set']}:lang-{question['lang']}"):
                groups.setdefault(key, []).append((rank, question["lengths"][order[0]]))
            first.setdefault(question["set"], []).append((p[order[0]], question["y"][order[0]]))
        else:
            unanswerable.setdefault(question["set"], []).append(p[order[0]])
    for key, ranks in groups.items():
        if len(ranks) >= 25:
            r = [a for a, _ in ranks]
            print(f"{key:34s} n {len(r):5d} first {np.mean([x < 1 for x in r]):.3f} in 3 {np.mean([x < 3 for x in r]):.3f} in 10 {np.mean([x < 10 for x in r]):.3f} exists {np.mean([x < 900 for x in r]):.3f} length {np.mean([b for _, b in ranks]):.0f}")
    print(f"{'answers taken out':34s} n {len(taken):5d} first ≥ .5 {np.mean([p >= 0.5 for p in taken] or [0]):.3f}")
    for key, pairs in first.items():
        p, right = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
        for least in (0.3, 0.4, 0.5, 0.6, 0.7):
            kept = p >= least
            print(f"{key:34s} first ≥ {least}: {kept.mean():.3f} of the answerable, right {right[kept].mean():.3f}, of the unanswerable {np.mean([u >= least for u in unanswerable.get(key, [0])]):.3f}")
        print(f"{key:34s} ECE of first {ece(pairs):.3f}; unanswerable ≥ .5 {np.mean([p >= 0.5 for p in unanswerable.get(key, [0])]):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("stage")
    parser.add_argument("out")
    parser.add_argument("dumps", nargs="+")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--aside", nargs="*", default=[], help="sets that no curve or promise is made of")
    parser.add_argument("--version", default="unnamed")
    parser.add_argument("--no-final", action="store_true")
    parser.add_argument("--of-folds", type=Path, help="keep what was fitted without each fold in this folder")
    args = parser.parse_args()
    ASIDE.update(args.aside)
    columns = json.loads(Path(f"{args.dumps[0]}.columns.json").read_text())
    questions = [q for dump in args.dumps for q in read_dump(dump)]
    print(len(questions), "questions", sum(q["rows"] for q in questions), "rows")
    questions += [copy for copy in (unanswered(q, columns) for q in questions) if copy is not None]
    alone(questions, columns)
    used = [at for at, name in enumerate(columns) if not any(name.startswith(prefix) for prefix in args.without)]
    used = [at for at in used if not all(np.isnan(q["x"][:, at]).all() for q in questions[:400])]
    names = [columns[at] for at in used]
    script = columns.index("script")
    scores: list[np.ndarray] = [np.zeros(0)] * len(questions)
    by_fold = []
    for fold in range(args.folds):
        inside = [q for q in questions if fold_of(q, args.folds) != fold and q["set"] != TEXTS]
        model = train(inside, used, names)
        by_fold.append(model)
        for at, question in enumerate(questions):
            if fold_of(question, args.folds) == fold:
                scores[at] = log_odds(model, question, used)
    curves = curves_of(questions, scores, script)
    by_script = [SCRIPTS[int(np.bincount(q["x"][:, script].astype(int), minlength=4).argmax())] for q in questions]
    probabilities = [apply_curve(curves[name], s) for name, s in zip(by_script, scores)]
    standings = {}
    for kind, kind_of in (("pages", lambda q: not is_texts(q)), ("few", is_texts)):
        places = [at for at, question in enumerate(questions) if kind_of(question)]
        standings[kind], judged = standing_of([questions[at] for at in places], [probabilities[at] for at in places], args.folds)
        for at, p in zip(places, judged):
            probabilities[at] = p
    # Until texts.py has fitted theirs.
    standings["texts"] = standings["few"]
    report(questions, probabilities)
    print("standings:", standings)
    promises = promises_of(questions, probabilities, args.folds)
    judged = {"columns": names, "curves": curves, "standings": standings, "promises": promises}
    for fold, model in enumerate(by_fold if args.of_folds else []):
        write_fit(args.of_folds / f"{args.stage}.{fold}.json", f"{args.version} without fold {fold}", model, judged)
    if args.no_final:
        return
    model = train([q for q in questions if q["set"] != TEXTS], used, names)
    gain = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print("gain:", ", ".join(f"{name} {value / sum(g for g, _ in gain):.3f}" for value, name in gain[:20]))
    write_fit(Path(args.out), args.version, model, judged)


if __name__ == "__main__":
    main()
