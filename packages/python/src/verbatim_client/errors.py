"""The one error of this package: what the service, or something in front of it, answered instead of a result."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .api import ProblemError

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500


class VerbatimError(Exception):
    """An answer that is an error. A connection that fails raises ``httpx.TransportError`` instead."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        retryable: bool,
        retry_after_seconds: float | None = None,
        request_id: str | None = None,
        issues: list[ProblemError] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status of the answer."""
        self.code = code
        """The service's stable code, such as "validation_failed"; "http_error" or "unexpected_answer" for others'."""
        self.retryable = retryable
        """Whether the same request may succeed later."""
        self.retry_after_seconds = retry_after_seconds
        """How long the service asks to wait before that; None when it does not say."""
        self.request_id = request_id
        """To be quoted in a report; None when the answer carried none."""
        self.issues = issues or []
        """The refused fields: a JSON pointer (RFC 6901) into the request and what is allowed there."""

    def __str__(self) -> str:
        return f"{self.message} ({self.status} {self.code})"


def error_of(response: httpx.Response) -> VerbatimError:
    """The error that an answer other than 2xx stands for. The response must have been read."""
    problem = json_of(response)
    if is_problem(problem):
        return problem_error(problem, retry_after_seconds(response.headers.get("Retry-After")))
    status = response.status_code
    return VerbatimError(
        f"The service answered {status}.",
        status=status,
        code="http_error",
        retryable=status == TOO_MANY_REQUESTS or status >= SERVER_ERROR,
        retry_after_seconds=retry_after_seconds(response.headers.get("Retry-After")),
        request_id=response.headers.get("X-Request-Id"),
    )


def problem_error(problem: dict[str, Any], retry_after: float | None = None) -> VerbatimError:
    """The error that a problem document (RFC 9457) of the service describes."""
    return VerbatimError(
        problem["detail"],
        status=problem["status"],
        code=problem["code"],
        retryable=problem["retryable"],
        retry_after_seconds=retry_after,
        request_id=problem.get("request_id"),
        issues=problem.get("errors"),
    )


def unexpected_answer(
    response: httpx.Response, message: str = "The answer is not one of Verbatim. Is the base_url right?"
) -> VerbatimError:
    """A 2xx answer that is not what the service promises: cut off, or given by something else at this address."""
    return VerbatimError(
        message,
        status=response.status_code,
        code="unexpected_answer",
        retryable=True,
        request_id=response.headers.get("X-Request-Id"),
    )


def json_of(response: httpx.Response) -> Any:
    """The body as JSON; None when it is not JSON, such as a proxy's HTML page."""
    try:
        return response.json()
    except ValueError:
        return None


def is_problem(value: Any) -> bool:
    """Whether a value is a problem document as the service writes them."""
    return isinstance(value, dict) and all(
        isinstance(value.get(name), kind)
        for name, kind in (("detail", str), ("code", str), ("retryable", bool), ("status", int))
    )


def retry_after_seconds(value: str | None) -> float | None:
    """Seconds that ``Retry-After`` (RFC 9110 section 10.2.3) asks for; None when it says nothing that can be read."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
