"""Second stage: the mean of a text's vectors must find its own passage among the batch.

Each token has a direction (a row of `vectors`) and a log weight. The loss is InfoNCE over in-batch
negatives, half of the batches made of whole pages so that the negatives are as near as they are at work.
"""

import numpy as np
import torch
from torch.nn.functional import cross_entropy, embedding_bag, normalize

from corpus import Corpus, Texts, pages_by_group

BATCH = 2048
SCALE = 20.0
LEARNING_RATE = 0.02
PASSAGE_TO_QUERY_WEIGHT = 0.3
CLOZE_SHARE = 0.25
CLOZE_TOKENS_MIN, CLOZE_TOKENS_MAX = 40, 200
PAGE_BATCH_SHARE = 0.5
PAIRS_PER_PAGE = 24
WARM_UP_STEPS = 30
GROUP_SHARE = {
    "questions": 0.34,
    "textbooks": 0.16,
    "medical": 0.1,
    "manuals": 0.08,
    "commands": 0.02,
    "guide": 0.04,
    "chinese_japanese": 0.08,
    "policies": 0.03,
    "dictionary": 0.1,
}


class Table(torch.nn.Module):
    """The trained parameters: a direction and a log weight per token."""

    def __init__(self, vectors: np.ndarray, log_weight: np.ndarray):
        super().__init__()
        self.vectors = torch.nn.Parameter(torch.from_numpy(vectors))
        self.log_weight = torch.nn.Parameter(torch.from_numpy(log_weight.astype(np.float32)))

    def mean(self, tokens: np.ndarray, begins: np.ndarray) -> torch.Tensor:
        """Unit vectors of texts laid end to end: the weighted sum of their tokens' vectors."""
        ids = torch.from_numpy(tokens.astype(np.int64))
        weights = torch.exp(self.log_weight)[ids]
        sums = embedding_bag(ids, self.vectors, torch.from_numpy(begins), mode="sum", per_sample_weights=weights)
        return normalize(sums, dim=1)

    def rows(self) -> np.ndarray:
        """The finished table: each direction times its weight; special tokens count for nothing."""
        rows = (torch.exp(self.log_weight)[:, None] * self.vectors).detach().numpy()
        rows[:5] = 0
        return rows.astype(np.float32)


def start_weights(token_counts: np.ndarray) -> np.ndarray:
    """Smooth inverse frequency (Arora et al., ICLR 2017): frequent words start light."""
    probability = (token_counts + 1) / (token_counts + 1).sum()
    return np.log(1e-3 / (1e-3 + probability))


def same_text(corpus: Corpus, pairs: np.ndarray) -> torch.Tensor:
    """Which off-diagonal combinations are not negatives: they share the passage or the query."""
    passage, query = corpus.passage_digest[pairs], corpus.query_digest[pairs]
    mask = torch.from_numpy((passage[:, None] == passage) | (query[:, None] == query))
    return mask.fill_diagonal_(False)


class Batches:
    """Draws batches: whole pages, random pairs of a group, or pairs cut out of the prose."""

    def __init__(self, corpus: Corpus, seed: int):
        self.corpus = corpus
        self.random = np.random.default_rng(seed)
        self.pages = pages_by_group(corpus)
        self.pairs = {name: np.flatnonzero(corpus.group == name) for name in GROUP_SHARE}
        self.names = list(GROUP_SHARE)
        self.share = np.array(list(GROUP_SHARE.values())) / sum(GROUP_SHARE.values())
        self.long_prose = np.flatnonzero(np.diff(corpus.prose.offsets) > CLOZE_TOKENS_MIN)
        counts = corpus.token_counts(int(corpus.prose.tokens.max()) + 1)
        self.frequency = counts / counts.sum()

    def pair_batch(self) -> np.ndarray:
        name = self.random.choice(self.names, p=self.share)
        if name not in self.pages or self.random.random() >= PAGE_BATCH_SHARE:
            size = min(BATCH, len(self.pairs[name]))
            return self.random.choice(self.pairs[name], size, replace=False)
        chosen, count = [], 0
        for index in self.random.permutation(len(self.pages[name])):
            chosen.append(self.pages[name].of(index, PAIRS_PER_PAGE, self.random))
            count += len(chosen[-1])
            if count >= BATCH:
                break
        return np.concatenate(chosen)[:BATCH]

    def cloze_pair(self, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A made-up query and the rest of the passage (inverse cloze, Lee et al., ACL 2019)."""
        random = self.random
        if random.random() < 0.4:  # keywords: some of the rarer tokens, about half of them left in place
            spots = random.choice(len(tokens), size=min(len(tokens), 12), replace=False)
            rarest = np.argsort(self.frequency[tokens[spots]])[: int(random.integers(2, 6))]
            spots = spots[rarest]
            keep = np.ones(len(tokens), bool)
            if random.random() < 0.5:
                keep[spots[: len(spots) // 2 + 1]] = False
            return tokens[spots], tokens[keep]
        length = int(random.integers(4, 14))
        start = int(random.integers(0, len(tokens) - length))
        query = tokens[start : start + length]
        cut_out = random.random() < 0.7
        return query, np.concatenate([tokens[:start], tokens[start + length :]]) if cut_out else tokens

    def cloze_batch(self) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        prose: Texts = self.corpus.prose
        rows = self.random.choice(self.long_prose, BATCH // 2, replace=False)
        pairs = [self.cloze_pair(prose.row(row)[:CLOZE_TOKENS_MAX]) for row in rows]
        return end_to_end([query for query, _ in pairs]), end_to_end([passage for _, passage in pairs])


def end_to_end(rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate(rows), np.concatenate([[0], np.cumsum([len(row) for row in rows])[:-1]])


def train(table: Table, corpus: Corpus, steps: int, seed: int, report) -> None:
    """Train `table` in place for a fixed number of steps (not seconds: the result must not depend on the machine)."""
    batches = Batches(corpus, seed)
    optimiser = torch.optim.Adam(
        [{"params": [table.vectors], "lr": LEARNING_RATE}, {"params": [table.log_weight], "lr": LEARNING_RATE * 2}],
        betas=(0.9, 0.99),
    )
    rates = [group["lr"] for group in optimiser.param_groups]
    for step in range(steps):
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * min(1, (step + 1) / WARM_UP_STEPS) * (1 - step / steps)
        not_negative = None
        if batches.random.random() < CLOZE_SHARE:
            queries, passages = batches.cloze_batch()
        else:
            pairs = batches.pair_batch()
            queries, passages = corpus.queries.gather(pairs), corpus.passages.gather(pairs)
            not_negative = same_text(corpus, pairs)
        scores = table.mean(*queries) @ table.mean(*passages).T * SCALE
        if not_negative is not None:
            scores = scores.masked_fill(not_negative, -1e4)
        target = torch.arange(len(scores))
        loss = cross_entropy(scores, target) + PASSAGE_TO_QUERY_WEIGHT * cross_entropy(scores.T, target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        report(step, steps, loss.item())
