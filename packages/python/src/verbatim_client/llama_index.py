"""Verbatim in LlamaIndex: a retriever whose nodes are scored passages. Needs the extra ``llama-index``."""

from typing import Unpack

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from .api import SearchOptions, SearchResponse
from .async_client import AsyncVerbatim
from .client import Verbatim


class VerbatimRetriever(BaseRetriever):
    """One node for each passage, with its relevance as the score; ``metadata`` says where it stands."""

    def __init__(
        self, client: Verbatim, async_client: AsyncVerbatim | None = None, **options: Unpack[SearchOptions]
    ) -> None:
        """``async_client`` is for ``aretrieve``; without it that blocks. ``options`` go with every search."""
        super().__init__()
        self._client = client
        self._async_client = async_client
        self._options: SearchOptions = {**options, "include": ["proof"]}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self._client.search(query_bundle.query_str, **self._options))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_client is None:
            return self._retrieve(query_bundle)
        return _nodes(await self._async_client.search(query_bundle.query_str, **self._options))


def _nodes(answer: SearchResponse) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(
                text=snippet["text"],
                metadata={
                    "source": result["url"],
                    "title": result["title"],
                    "publish_date": result["publish_date"],
                    "link": snippet.get("text_fragment_url"),
                },
            ),
            score=snippet["relevance_score"],
        )
        for result in answer["results"]
        for snippet in result["snippets"]
    ]
