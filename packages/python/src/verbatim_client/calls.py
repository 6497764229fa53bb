"""What both clients send and expect: one call is a path, a body and the member by which its answer is known."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from .errors import json_of, unexpected_answer

JSON = "application/json"
NDJSON = "application/x-ndjson"
RETRIES_DEFAULT = 2
# The longest depth answers within 30 seconds; this is how long the service may be silent.
TIMEOUT_SECONDS_DEFAULT = 60.0


class Call(NamedTuple):
    """A POST request, without address and key."""

    path: str
    body: Mapping[str, Any]
    # What tells an answer of the service from that of something else at the same address.
    answer_member: str
    accept: str = JSON


class Address:
    """Where the service answers, and with which key. Raises ValueError when ``base_url`` is no http(s) address."""

    def __init__(self, base_url: str, api_key: str) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError(f"base_url must be an http or https address, not {base_url!r}")
        self._base = str(url).rstrip("/")
        self._api_key = api_key

    def request(
        self, call: Call, http: httpx.Client | httpx.AsyncClient, fresh: bool, timeout_seconds: float
    ) -> httpx.Request:
        """The request for ``call``; ``fresh`` asks the service to read every page anew."""
        headers = {
            "Authorization": f"Bearer {self._api_key}",
            "Content-Type": JSON,
            "Accept": call.accept,
            **({"Cache-Control": "no-cache"} if fresh else {}),
        }
        # ASCII: half of a surrogate pair is then refused by the service instead of failing here.
        content = json.dumps(call.body).encode("ascii")
        url = f"{self._base}/{call.path}"
        return http.build_request("POST", url, content=content, headers=headers, timeout=timeout_seconds)


def answer_of(call: Call, response: httpx.Response) -> Any:
    """The answer in a 2xx response that has been read. Raises VerbatimError when it is not one of the service."""
    answer = json_of(response)
    if not isinstance(answer, dict) or not isinstance(answer.get(call.answer_member), list):
        raise unexpected_answer(response)
    return answer


def search_call(query: str, options: Mapping[str, Any], accept: str = JSON) -> Call:
    return Call("v1/search", {"query": query, **options}, "results", accept)


def read_call(options: Mapping[str, Any]) -> Call:
    return Call("v1/read", options, "results")


def rerank_call(query: str, documents: list[str], options: Mapping[str, Any]) -> Call:
    return Call("v1/rerank", {"query": query, "documents": documents, **options}, "results")


def verify_call(quotes: list[str], options: Mapping[str, Any]) -> Call:
    return Call("v1/verify", {"quotes": quotes, **options}, "quotes")


def verify_answer_call(answer: str, sources: list[str]) -> Call:
    return Call("v1/verify", {"answer": answer, "sources": sources}, "claims")
