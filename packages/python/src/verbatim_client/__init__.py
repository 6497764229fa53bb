"""What the package offers: the two clients, their error, and the types of what goes over the wire."""

from .anthropic import SearchResultBlock, search_result_blocks
from .api import (
    AnswerCheckResponse,
    ReadOptions,
    ReadResponse,
    RerankOptions,
    RerankResponse,
    SearchOptions,
    SearchRequest,
    SearchResponse,
    VerifyOptions,
    VerifyResponse,
)
from .api import SearchResponseResult as SearchResult
from .api import SearchResponseResultSnippet as Snippet
from .async_client import AsyncVerbatim
from .client import Verbatim
from .errors import VerbatimError
from .events import ResultEvent, SearchEvent, SummaryEvent

__all__ = [
    "AnswerCheckResponse",
    "AsyncVerbatim",
    "ReadOptions",
    "ReadResponse",
    "RerankOptions",
    "RerankResponse",
    "ResultEvent",
    "SearchEvent",
    "SearchOptions",
    "SearchRequest",
    "SearchResponse",
    "SearchResult",
    "SearchResultBlock",
    "Snippet",
    "SummaryEvent",
    "Verbatim",
    "VerbatimError",
    "VerifyOptions",
    "VerifyResponse",
    "search_result_blocks",
]
