"""Third stage: the table learns for the two ways it is used, token MaxSim and the mean's cosine.

MaxSim: every query token looks for its most similar passage token; the similarities are averaged with the
norm of the query token's row as weight (after Khattab and Zaharia, "ColBERT", SIGIR 2020). Negatives are the
other passages of the same page, which is the choice the first stage has to make.
"""

import numpy as np
import torch
from torch.nn.functional import cross_entropy, normalize

from contrastive import SCALE, Table, same_text
from corpus import Corpus, Texts, pages_by_group

PASSAGES_PER_PAGE = 24
PAGES_PER_STEP = 4
QUERY_TOKENS, PASSAGE_TOKENS = 32, 160
TOKEN_DROPOUT = 0.1
COSINE_SHARE = 0.5
RATES = {"vectors": 0.003, "log_weight": 0.02, "log_scale": 0.01}
WARM_UP_STEPS = 20
GROUP_SHARE = {
    "questions": 0.45,
    "textbooks": 0.15,
    "policies": 0.05,
    "manuals": 0.1,
    "medical": 0.1,
    "guide": 0.05,
    "chinese_japanese": 0.1,
}


def page_batch(pages, random: np.random.Generator) -> np.ndarray:
    """About 24 pairs from as few pages as possible."""
    chosen: list[np.ndarray] = []
    while sum(map(len, chosen)) < PASSAGES_PER_PAGE:
        chosen.append(pages.of(int(random.integers(len(pages))), PASSAGES_PER_PAGE - 4, random))
    return np.concatenate(chosen)[:PASSAGES_PER_PAGE]


def padded(texts: Texts, indices: np.ndarray, most: int) -> torch.Tensor:
    """The distinct tokens of each text, padded with 0 to the longest: shape texts x tokens."""
    rows = [np.unique(texts.row(index))[:most] for index in indices]
    matrix = np.zeros((len(rows), max(1, *map(len, rows))), np.int64)
    for index, row in enumerate(rows):
        matrix[index, : len(row)] = row
    return torch.from_numpy(matrix)


def max_similarity(table: Table, queries: torch.Tensor, passages: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """MaxSim of every query with every passage: shape queries x passages, 0..1."""
    query_ids, query_index = torch.unique(queries, return_inverse=True)
    passage_ids, passage_index = torch.unique(passages, return_inverse=True)
    query_rows = table.vectors[query_ids]
    weights = torch.exp(table.log_weight[query_ids]) * query_rows.norm(dim=1)
    similarity = normalize(query_rows, dim=1) @ normalize(table.vectors[passage_ids], dim=1).T
    best = similarity[:, passage_index.reshape(-1)].reshape(len(query_ids), *passages.shape)
    best = best.masked_fill(~kept[None], -1).max(2).values.clamp_min(0)
    weight = weights[query_index] * (queries > 4)
    weight = weight / weight.sum(1, keepdim=True).clamp_min(1e-6)
    return torch.einsum("bl,bln->bn", weight, best[query_index])


def padded_mean(table: Table, ids: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    weights = torch.exp(table.log_weight[ids]) * kept
    return normalize((weights[..., None] * table.vectors[ids]).sum(1), dim=1)


def train(table: Table, corpus: Corpus, steps: int, seed: int, report) -> None:
    """Train `table` in place for a fixed number of steps."""
    random = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    pages = pages_by_group(corpus)
    names = list(GROUP_SHARE)
    share = np.array(list(GROUP_SHARE.values())) / sum(GROUP_SHARE.values())
    log_scale = torch.nn.Parameter(torch.tensor(3.0))
    parameters = {"vectors": table.vectors, "log_weight": table.log_weight, "log_scale": log_scale}
    optimiser = torch.optim.Adam(
        [{"params": [parameters[name]], "lr": rate} for name, rate in RATES.items()], betas=(0.9, 0.99)
    )
    for step in range(steps):
        for group, rate in zip(optimiser.param_groups, RATES.values()):
            group["lr"] = rate * min(1, (step + 1) / WARM_UP_STEPS) * (1 - step / steps)
        loss = torch.zeros(())
        for _ in range(PAGES_PER_STEP):
            pairs = page_batch(pages[random.choice(names, p=share)], random)
            queries = padded(corpus.queries, pairs, QUERY_TOKENS)
            passages = padded(corpus.passages, pairs, PASSAGE_TOKENS)
            kept = (passages > 4) & (torch.rand(passages.shape, generator=generator) > TOKEN_DROPOUT)
            not_negative = same_text(corpus, pairs)
            target = torch.arange(len(pairs))
            late = max_similarity(table, queries, passages, kept) * torch.exp(log_scale)
            mean = padded_mean(table, queries, queries > 4) @ padded_mean(table, passages, kept).T * SCALE
            loss = loss + cross_entropy(late.masked_fill(not_negative, -1e4), target)
            loss = loss + COSINE_SHARE * cross_entropy(mean.masked_fill(not_negative, -1e4), target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        report(step, steps, loss.item() / PAGES_PER_STEP)
