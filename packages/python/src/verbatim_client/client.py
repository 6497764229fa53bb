"""The blocking client: calls with retries before the first byte of an answer and none after it."""

import time
from collections.abc import Generator
from contextlib import closing
from itertools import count
from types import TracebackType
from typing import Self, Unpack, cast

import httpx

from .api import (
    AnswerCheckResponse,
    ReadOptions,
    ReadResponse,
    RerankOptions,
    RerankResponse,
    SearchOptions,
    SearchResponse,
    VerifyOptions,
    VerifyResponse,
)
from .calls import (
    NDJSON,
    RETRIES_DEFAULT,
    TIMEOUT_SECONDS_DEFAULT,
    Address,
    Call,
    answer_of,
    read_call,
    rerank_call,
    search_call,
    verify_answer_call,
    verify_call,
)
from .errors import VerbatimError, error_of, unexpected_answer
from .events import EventReader, SearchEvent
from .retry import repeat_delay_seconds


class Verbatim:
    """A client for one service, to be closed after use, best by ``with``. Threads may share it.

    Every call raises ``VerbatimError`` when the service refuses or fails, ``httpx.TransportError`` when nothing
    answers. ``timeout_seconds`` is how long the service may be silent.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS_DEFAULT,
        retries: int = RETRIES_DEFAULT,
        http_client: httpx.Client | None = None,
    ) -> None:
        """``base_url`` may hold a path; ``http_client``, where given, is used and not closed."""
        self._address = Address(base_url, api_key)
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._is_ours = http_client is None
        self._http = http_client or httpx.Client()

    def search(
        self,
        query: str,
        *,
        fresh: bool = False,
        timeout_seconds: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResponse:
        """Searches and waits for the whole answer."""
        return cast(SearchResponse, self._answer(search_call(query, options), fresh, timeout_seconds))

    def stream(
        self,
        query: str,
        *,
        fresh: bool = False,
        timeout_seconds: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> Generator[SearchEvent, None, None]:
        """Gives each result as soon as its page is done; the last event is the summary.

        Closing the generator, which leaving the loop does, ends the work on the service.
        """
        response = self._ask(search_call(query, options, NDJSON), fresh, timeout_seconds)
        reader = EventReader()
        with closing(response):
            for chunk in response.iter_bytes():
                for event in reader.feed(chunk):
                    yield event
                    if event["event"] == "summary":
                        return
        raise unexpected_answer(response, "The stream ended before its summary.")

    def read(
        self,
        *,
        fresh: bool = False,
        timeout_seconds: float | None = None,
        **options: Unpack[ReadOptions],
    ) -> ReadResponse:
        """Reads the page at ``url``, or those at ``urls``, as clean text; a page's failure is part of its result."""
        return cast(ReadResponse, self._answer(read_call(options), fresh, timeout_seconds))

    def rerank(
        self,
        query: str,
        documents: list[str],
        *,
        timeout_seconds: float | None = None,
        **options: Unpack[RerankOptions],
    ) -> RerankResponse:
        """Orders texts by how likely each answers the query."""
        call = rerank_call(query, documents, options)
        return cast(RerankResponse, self._answer(call, False, timeout_seconds))

    def verify(
        self,
        quotes: list[str],
        *,
        fresh: bool = False,
        timeout_seconds: float | None = None,
        **options: Unpack[VerifyOptions],
    ) -> VerifyResponse:
        """Says of each quote whether and where it stands on the page at ``url``, or in that of ``content_sha256``."""
        return cast(VerifyResponse, self._answer(verify_call(quotes, options), fresh, timeout_seconds))

    def verify_answer(
        self,
        answer: str,
        sources: list[str],
        *,
        fresh: bool = False,
        timeout_seconds: float | None = None,
    ) -> AnswerCheckResponse:
        """Says what of an answer its sources bear out; [1] in the answer is the first source."""
        call = verify_answer_call(answer, sources)
        return cast(AnswerCheckResponse, self._answer(call, fresh, timeout_seconds))

    def close(self) -> None:
        """Closes the connections, unless they belong to the ``http_client`` that was given."""
        if self._is_ours:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, call: Call, fresh: bool, timeout_seconds: float | None) -> object:
        with closing(self._ask(call, fresh, timeout_seconds)) as response:
            response.read()
            return answer_of(call, response)

    def _ask(self, call: Call, fresh: bool, timeout_seconds: float | None) -> httpx.Response:
        """A 2xx response, still open."""
        timeout = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        for attempt in count(1):
            error: VerbatimError | httpx.TransportError
            try:
                request = self._address.request(call, self._http, fresh, timeout)
                response = self._http.send(request, stream=True)
                if response.is_success:
                    return response
                with closing(response):
                    response.read()
                error = error_of(response)
            except httpx.TransportError as failed:
                error = failed
            delay_seconds = repeat_delay_seconds(error, attempt, self._retries)
            if delay_seconds is None:
                raise error
            time.sleep(delay_seconds)
        raise AssertionError("count() has no end")
