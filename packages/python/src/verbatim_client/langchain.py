"""Verbatim in LangChain: a retriever whose documents are passages. Needs the extra ``langchain``."""

from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from .api import SearchResponse
from .async_client import AsyncVerbatim
from .client import Verbatim


class VerbatimRetriever(BaseRetriever):
    """One document for each passage; ``metadata`` says where it stands and how relevant it is."""

    client: Verbatim
    async_client: AsyncVerbatim | None = None
    """For ``ainvoke``; without it the blocking client is used on a thread."""
    options: Mapping[str, Any] = {}
    """Fields of ``SearchOptions``, such as ``{"num_results": 3}``."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return _documents(self.client.search(query, **{**self.options, "include": ["proof"]}))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        if self.async_client is None:
            return await super()._aget_relevant_documents(query, run_manager=run_manager)
        return _documents(await self.async_client.search(query, **{**self.options, "include": ["proof"]}))


def _documents(answer: SearchResponse) -> list[Document]:
    return [
        Document(
            page_content=snippet["text"],
            metadata={
                "source": result["url"],
                "title": result["title"],
                "publish_date": result["publish_date"],
                "relevance_score": snippet["relevance_score"],
                "link": snippet.get("text_fragment_url"),
            },
        )
        for result in answer["results"]
        for snippet in result["snippets"]
    ]
