"""Both clients against servers that refuse, break off or are something else."""

import json
import time
from collections.abc import Callable
from email.utils import format_datetime
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
import pytest

from conftest import FailingServer, answering, breaking_off
from verbatim_client import VerbatimError
from verbatim_client.errors import retry_after_seconds
from verbatim_client.events import EventReader
from verbatim_client.retry import repeat_delay_seconds

ANSWER = {"query": "q", "results": [], "total_latency_ms": 1}
Serve = Callable[..., FailingServer]
Connect = Callable[..., Any]


def test_429_5xx_and_broken_connections_are_tried_again(serve: Serve, connect: Connect) -> None:
    server = serve(answering(429, "", Retry_After="0"), breaking_off, answering(200, ANSWER))
    assert connect(server.url).search("q") == ANSWER
    assert len(server.asked) == 3


def test_no_more_than_the_retries_are_made_and_the_last_error_is_raised(serve: Serve, connect: Connect) -> None:
    server = serve(answering(503, "<h1>down</h1>", Retry_After="0", X_Request_Id="req_1"))
    with pytest.raises(VerbatimError) as failed:
        connect(server.url, retries=1).search("q")
    assert (failed.value.status, failed.value.code, failed.value.request_id) == (503, "http_error", "req_1")
    assert failed.value.retry_after_seconds == 0
    assert len(server.asked) == 2


def test_a_refusal_that_stays_one_is_not_tried_again(serve: Serve, connect: Connect) -> None:
    server = serve(answering(404, ""))
    with pytest.raises(VerbatimError, match="404 http_error"):
        connect(server.url).search("q")
    assert len(server.asked) == 1


def test_a_server_that_asks_for_more_than_a_minute_is_not_waited_for(serve: Serve, connect: Connect) -> None:
    server = serve(answering(429, "", Retry_After="3600"))
    with pytest.raises(VerbatimError) as failed:
        connect(server.url).search("q")
    assert (failed.value.retry_after_seconds, len(server.asked)) == (3600, 1)


def test_where_nobody_answers_the_error_is_that_of_httpx(serve: Serve, connect: Connect) -> None:
    with pytest.raises(httpx.TransportError):
        connect(serve(breaking_off).url, retries=0).search("q")


def test_silence_ends_with_the_time_limit(serve: Serve, connect: Connect) -> None:
    server = serve(lambda handler: handler.connection.recv(1) and None)
    with pytest.raises(httpx.ReadTimeout):
        connect(server.url, retries=0).search("q", timeout_seconds=0.1)


def test_something_else_at_the_address_is_told(serve: Serve, connect: Connect) -> None:
    for body in ("<h1>It works!</h1>", "[]", "{}"):
        with pytest.raises(VerbatimError) as failed:
            connect(serve(answering(200, body)).url).search("q")
        assert failed.value.code == "unexpected_answer"


def test_a_redirect_is_not_followed_with_the_key(serve: Serve, connect: Connect) -> None:
    other = serve(answering(200, ANSWER))
    with pytest.raises(VerbatimError, match="307"):
        connect(serve(answering(307, "", Location=other.url)).url).search("q")
    assert other.asked == []


def test_the_path_of_the_address_is_kept_and_the_key_sent(serve: Serve, connect: Connect) -> None:
    server = serve(answering(200, ANSWER))
    connect(f"{server.url}/verbatim").search("q", fresh=True)
    connect(f"{server.url}/verbatim/").search("q", num_results=2)
    assert [path for path, _, _ in server.asked] == ["/verbatim/v1/search"] * 2
    first, second = [headers for _, headers, _ in server.asked]
    assert (first["Authorization"], first["Cache-Control"]) == ("Bearer vbt_x", "no-cache")
    assert "Cache-Control" not in second
    assert json.loads(server.asked[1][2]) == {"query": "q", "num_results": 2}


@pytest.mark.parametrize("address", ["", "127.0.0.1:3000", "ftp://example.com", "http://"])
def test_what_is_no_address_is_refused_at_once(connect: Connect, address: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        connect(address)


def test_a_client_of_httpx_that_was_given_is_used_and_left_open() -> None:
    from verbatim_client import Verbatim

    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, json=ANSWER)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        with Verbatim("http://verbatim.test", "vbt_x", http_client=http) as client:
            client.search("q")
        assert not http.is_closed
    assert asked == ["/v1/search"]


def test_a_stream_that_was_cut_off_is_told_from_one_that_is_complete(serve: Serve, connect: Connect) -> None:
    lines = '{"event":"result","result":{"rank":1}}\n\n{"event":"later"}\n{"event":"summ'
    events = []
    with pytest.raises(VerbatimError) as failed:
        for event in connect(serve(answering(200, lines)).url).stream("q"):
            events.append(event["event"])
    assert (failed.value.code, failed.value.retryable, events) == ("unexpected_answer", True, ["result"])


def test_the_error_with_which_a_stream_ends_is_raised(serve: Serve, connect: Connect) -> None:
    problem = {"detail": "No engine answered.", "code": "search_unavailable", "retryable": True, "status": 500}
    lines = json.dumps({"event": "error", "error": problem}) + "\n"
    with pytest.raises(VerbatimError, match="search_unavailable"):
        list(connect(serve(answering(200, lines)).url).stream("q"))


def test_events_are_understood_however_their_bytes_are_cut_and_whatever_breaks_lines_elsewhere() -> None:
    text = "ünï 漢字 🧪 \u2028 \u0085 \x1c"
    line = json.dumps({"event": "summary", "summary": {**ANSWER, "query": text}}, ensure_ascii=False)
    content = f"\n\n{line}\n".encode()
    for length in (1, 2, 3, 7, len(content)):
        reader = EventReader()
        pieces = [content[at : at + length] for at in range(0, len(content), length)]
        events = [event for piece in pieces for event in reader.feed(piece)]
        assert [event["event"] == "summary" and event["summary"]["query"] for event in events] == [text]


def test_a_stream_is_given_as_it_arrives(serve: Serve, connect: Connect) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b'{"event":"result","result":{"rank":1}}\n')
        handler.wfile.flush()
        # Nothing more comes until the reader has left.
        handler.connection.recv(1)

    events = connect(serve(answer).url).stream("q")
    assert next(events)["result"]["rank"] == 1
    events.close()


def test_what_retry_after_says_is_understood() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < (retry_after_seconds(format_datetime(soon, usegmt=True)) or 0) <= 30
    assert retry_after_seconds(format_datetime(soon - timedelta(days=1), usegmt=True)) == 0
    assert [retry_after_seconds(value) for value in ("7", "soon", "-1", "1.5", "", "²", None)] == [7] + [None] * 6


def test_the_wait_is_never_shorter_than_asked_for_and_grows_without() -> None:
    def failure(after: float | None) -> VerbatimError:
        return VerbatimError("", status=429, code="overloaded", retryable=True, retry_after_seconds=after)

    for _ in range(100):
        assert 4 <= (repeat_delay_seconds(failure(4), 1, 2) or 0) <= 5
        for attempt, longest in ((1, 0.5), (2, 1), (3, 2), (9, 8)):
            assert longest / 2 <= (repeat_delay_seconds(failure(None), attempt, 9) or 0) <= longest
    assert repeat_delay_seconds(failure(4), 3, 2) is None


def test_waiting_is_real(serve: Serve, connect: Connect) -> None:
    server = serve(answering(429, "", Retry_After="1"), answering(200, ANSWER))
    began = time.monotonic()
    connect(server.url).search("q")
    assert time.monotonic() - began >= 1
