"""The conditional logit over the parts of a passage (McFadden 1974), which fit.py and head.py share."""

import numpy as np
from scipy.optimize import minimize

# Of a weight's square, for every weight alike.
L2 = 2.0
STEPS_MAX = 400
# What only the head of a re-ranker tells of a part, and what only an embedding model does.
OF_RERANKER = ("answering",)
OF_MODEL = ("cosine", "maxSim", "maxSimBefore")


def centred(parts: np.ndarray) -> np.ndarray:
    """Each feature against the mean of the passage's parts; what is not known is the mean. As highlight-map.ts has it."""
    known = ~np.isnan(parts)
    count = np.maximum(1, known.sum(0))
    mean = np.where(known, parts, 0).sum(0) / count
    return np.where(known, parts - mean, 0).astype(np.float64)


def label(runs: list[list[int]], count: int) -> np.ndarray:
    y = np.zeros(count, dtype=bool)
    for first, last in runs:
        y[first : last + 1] = True
    return y


def fit_weights(groups: list[tuple[np.ndarray, np.ndarray]], penalties: float | np.ndarray = L2) -> np.ndarray:
    """Weights under which the parts that answer have the most of their passages' mass; more than one share it."""
    x = np.concatenate([g for g, _ in groups])
    y = np.concatenate([g for _, g in groups])
    sizes = np.array([len(g) for g, _ in groups])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(sizes)), sizes)

    def loss(w: np.ndarray):
        u = x @ w
        u = u - np.maximum.reduceat(u, starts)[group]
        e = np.exp(u)
        p = e / np.add.reduceat(e, starts)[group]
        right = np.add.reduceat(p * y, starts)
        q = p * y / right[group]
        gradient = x.T @ (p - q) / len(sizes) + 2 * penalties * w / len(sizes)
        return -np.log(right).mean() + (penalties * w) @ w / len(sizes), gradient

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": STEPS_MAX}).x
