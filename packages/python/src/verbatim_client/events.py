"""The events of a streamed search, from newline-delimited JSON as its bytes arrive."""

import json
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict

from .api import SearchResponse, SearchResponseResult
from .errors import is_problem, problem_error

# A line longer than this is no event of ours; reading it on would only fill memory.
LINE_BYTES_MAX = 64 * 1024 * 1024


class ResultEvent(TypedDict):
    """A result as soon as its page is done, with a preliminary rank."""

    event: Literal["result"]
    result: SearchResponseResult


class SearchSummary(SearchResponse):
    """The whole answer, whose ranks are final."""

    engine: NotRequired[str]


class SummaryEvent(TypedDict):
    """The last event."""

    event: Literal["summary"]
    summary: SearchSummary


SearchEvent = ResultEvent | SummaryEvent


class EventReader:
    """Puts lines together from pieces of any size.

    Lines end at a line feed alone: ``str.splitlines``, which httpx uses, also breaks at U+2028 and others that JSON
    leaves in its strings as they are.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[SearchEvent]:
        """The events that are complete with ``chunk``.

        Raises VerbatimError for the error with which the service ends a stream, ValueError for a line that is not JSON
        or too long. Events of a later version of the service are passed over.
        """
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line = b"".join((*self._parts, end))
            self._parts, self._length = [], 0
            # Blank lines are heartbeats.
            if line.strip():
                yield from _event_in(json.loads(line))
        self._parts.append(rest)
        self._length += len(rest)
        if self._length > LINE_BYTES_MAX:
            raise ValueError("a line of the stream is too long")


def _event_in(line: Any) -> Iterator[SearchEvent]:
    if not isinstance(line, dict):
        return
    if line.get("event") == "error" and is_problem(line.get("error")):
        raise problem_error(line["error"])
    if line.get("event") == "result" and isinstance(line.get("result"), dict):
        yield ResultEvent(event="result", result=line["result"])
    if line.get("event") == "summary" and isinstance(line.get("summary"), dict):
        yield SummaryEvent(event="summary", summary=line["summary"])
