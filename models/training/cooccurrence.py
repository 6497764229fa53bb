"""Where the vectors start: truncated SVD of positive pointwise mutual information over the prose.

Source: Levy and Goldberg, "Neural Word Embedding as Implicit Matrix Factorization", NeurIPS 2014.
Words that keep the same company start close together, which the small number of pairs alone cannot teach.
"""

import numpy as np
import scipy.sparse
from sklearn.utils.extmath import randomized_svd

from corpus import Texts

WINDOW = 10
CHUNK = 3_000_000
COUNT_MIN = 1.2  # a single far co-occurrence is noise
CONTEXT_SMOOTHING = 0.75


def counts(prose: Texts, vocabulary_size: int) -> scipy.sparse.coo_matrix:
    """Symmetric co-occurrence counts; a neighbour at distance d weighs 1 / (1 + (d - 1) / 4)."""
    tokens = np.full(len(prose.tokens) + len(prose) + 1, -1, np.int32)  # -1 parts the texts
    tokens[np.arange(len(prose.tokens)) + np.repeat(np.arange(len(prose)), np.diff(prose.offsets))] = prose.tokens
    total = scipy.sparse.csr_matrix((vocabulary_size, vocabulary_size), dtype=np.float32)
    for start in range(0, len(tokens), CHUNK):
        chunk = tokens[start : start + CHUNK + WINDOW]
        for distance in range(1, WINDOW + 1):
            left = chunk[:-distance][:CHUNK]
            right = chunk[distance:][: len(left)]
            both = (left >= 0) & (right >= 0)
            weight = np.full(both.sum(), 1 / (1 + (distance - 1) / 4), np.float32)
            shape = (vocabulary_size, vocabulary_size)
            total = total + scipy.sparse.coo_matrix((weight, (left[both], right[both])), shape=shape).tocsr()
    return (total + total.T).tocoo()


def start_vectors(prose: Texts, vocabulary_size: int, dimensions: int, seed: int) -> np.ndarray:
    """Unit vectors, centred, with a little noise so that tokens never seen do not coincide."""
    matrix = counts(prose, vocabulary_size)
    row_sum = np.asarray(matrix.sum(1)).ravel() + 1e-9
    context = row_sum**CONTEXT_SMOOTHING
    context /= context.sum()
    often = matrix.data > COUNT_MIN
    rows, columns = matrix.row[often], matrix.col[often]
    information = np.log(matrix.data[often] / (row_sum[rows] * context[columns]))
    positive = information > 0
    sparse = scipy.sparse.csr_matrix(
        (information[positive].astype(np.float32), (rows[positive], columns[positive])), shape=matrix.shape
    )
    left, singular, _ = randomized_svd(sparse, dimensions, n_oversamples=16, n_iter=2, random_state=seed)
    vectors = left * np.sqrt(singular)
    norm = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.where(norm > 1e-6, vectors / np.maximum(norm, 1e-6), 0)
    noise = np.random.default_rng(seed).normal(0, 0.01, vectors.shape)
    return (vectors - vectors.mean(0) + noise).astype(np.float32)
