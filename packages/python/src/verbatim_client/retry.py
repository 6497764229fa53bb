"""When a failed attempt is made again, and how long to wait before it."""

import random

import httpx

from .errors import VerbatimError

FIRST_DELAY_SECONDS = 0.5
DELAY_SECONDS_MAX = 8.0
# A server that asks for more patience than this gets its error passed on instead.
RETRY_AFTER_SECONDS_MAX = 60.0


def repeat_delay_seconds(
    error: VerbatimError | httpx.TransportError, attempt: int, retries: int
) -> float | None:
    """Seconds to wait before the next attempt after number ``attempt`` (from 1) failed; None when there is to be none.

    What the server asks for is kept to and spread by up to a quarter; else exponential back-off with jitter over its
    upper half, so that clients that failed together do not come back together. A search changes nothing on the
    service, so a request that may have arrived can safely be sent again.
    """
    if attempt > retries:
        return None
    if isinstance(error, VerbatimError):
        if not error.retryable:
            return None
        if error.retry_after_seconds is not None:
            asked = error.retry_after_seconds
            return None if asked > RETRY_AFTER_SECONDS_MAX else asked * (1 + random.random() / 4)
    longest = min(DELAY_SECONDS_MAX, FIRST_DELAY_SECONDS * 2.0 ** (attempt - 1))
    return longest * (0.5 + random.random() / 2)
