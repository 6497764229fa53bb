"""Answers as Anthropic's ``search_result`` blocks, from which Claude quotes with citations of its own."""

from typing import Literal, TypedDict

from .api import SearchResponse


class TextBlock(TypedDict):
    type: Literal["text"]
    text: str


class Citations(TypedDict):
    enabled: bool


class SearchResultBlock(TypedDict):
    """A content block of a message or of a tool's result."""

    type: Literal["search_result"]
    source: str
    title: str
    content: list[TextBlock]
    citations: Citations


def search_result_blocks(answer: SearchResponse) -> list[SearchResultBlock]:
    """One block for each page with passages, and in it one text for each passage, so that a citation names a passage.

    ``anthropic.types.SearchResultBlockParam`` is what it is; pages without passages are left out.
    """
    return [
        SearchResultBlock(
            type="search_result",
            source=result["url"],
            title=result["title"] or result["url"],
            content=[TextBlock(type="text", text=snippet["text"]) for snippet in result["snippets"]],
            citations=Citations(enabled=True),
        )
        for result in answer["results"]
        if result["snippets"]
    ]
