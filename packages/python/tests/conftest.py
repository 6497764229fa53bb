"""What the tests are run against: a service that test/clients starts, and servers that fail on purpose.

Every test gets both clients, the asyncio one behind a face that waits for it.
"""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from verbatim_client import AsyncVerbatim, SearchEvent, Verbatim

Answer = Callable[[BaseHTTPRequestHandler], None]


class Waiting:
    """AsyncVerbatim with the face of Verbatim."""

    def __init__(self, client: AsyncVerbatim) -> None:
        self._client = client
        self._runner = asyncio.Runner()

    def stream(self, *args: Any, **options: Any) -> Iterator[SearchEvent]:
        events = self._client.stream(*args, **options)
        try:
            while True:
                yield self._runner.run(anext(events))
        except StopAsyncIteration:
            return
        finally:
            self._runner.run(events.aclose())

    def close(self) -> None:
        self._runner.run(self._client.close())
        self._runner.close()

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **options: self._runner.run(getattr(self._client, name)(*args, **options))


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Makes a client of the kind in question; all are closed at the end."""
    with ExitStack() as stack:

        def open_client(base_url: str, api_key: str = "vbt_x", **options: Any) -> Any:
            client: Any
            if request.param == "blocking":
                client = Verbatim(base_url, api_key, **options)
            else:
                client = Waiting(AsyncVerbatim(base_url, api_key, **options))
            stack.callback(client.close)
            return client

        yield open_client


@pytest.fixture
def verbatim(connect: Callable[..., Any]) -> Any:
    """A client of the running service."""
    return connect(os.environ["VERBATIM_URL"], os.environ["VERBATIM_KEY"])


@pytest.fixture
def page() -> str:
    """Address of a page that says PASSAGE, the first one found for QUESTION."""
    return os.environ["VERBATIM_PAGE"]


class FailingServer:
    """Gives its answers one after the other, the last one again and again; ``asked`` are the requests it got."""

    def __init__(self, answers: list[Answer]) -> None:
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.asked.append((self.path, dict(self.headers), body))
                answers[min(len(outer.asked), len(answers)) - 1](self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[..., FailingServer]]:
    """Starts a server with these answers."""
    with ExitStack() as stack:

        def start(*answers: Answer) -> FailingServer:
            server = FailingServer(list(answers))
            stack.callback(server.close)
            return server

        yield start


def answering(status: int, body: Any, **headers: str) -> Answer:
    """An answer with a JSON body, or with the bytes or the text that are given."""
    content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def breaking_off(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection without an answer."""
    handler.connection.close()
