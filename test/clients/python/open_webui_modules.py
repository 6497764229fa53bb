"""Open WebUI's own modules of search and loading, set up by the variables that docs/client-open-webui.md names.

What process_web_search returns, or gives to be embedded, is what Open WebUI hands to its model.
"""

import asyncio
import json
import os
from types import SimpleNamespace
from typing import Any

from open_webui.models.config import Config
from open_webui.retrieval.loaders.external_document import ExternalDocumentLoader
from open_webui.routers import retrieval

QUESTION = os.environ["VERBATIM_QUESTION"]
PAGE = os.environ["VERBATIM_PAGE"]
REQUEST: Any = SimpleNamespace(state=SimpleNamespace(), app=SimpleNamespace(state=SimpleNamespace()))
USER: Any = SimpleNamespace(id="1", role="admin", name="Ada", email="ada@example.com")


def given_to_the_model(**settings: bool) -> Any:
    """Documents, as text and source, with the bypasses set in this way."""
    Config.DEFAULTS |= {f"web.search.{name}": value for name, value in settings.items()}
    embedded: list[Any] = []
    retrieval.save_docs_to_vector_db = lambda _request, docs, *_rest, **_more: embedded.extend(docs)
    form = retrieval.SearchForm(queries=[QUESTION])
    answer = asyncio.run(retrieval.process_web_search(REQUEST, form, USER))
    docs = answer.get("docs") or [{"content": doc.page_content, "metadata": doc.metadata} for doc in embedded]
    return [{"text": doc["content"], "source": doc["metadata"].get("source")} for doc in docs]


async def found(engine: str) -> Any:
    config = await Config.get_many(*retrieval.RETRIEVAL_CONFIG_KEYS.values())
    results = await retrieval.search_web(REQUEST, engine, QUESTION, USER, config=config)
    return [result.model_dump() for result in results]


def documents() -> Any:
    loader = ExternalDocumentLoader(
        os.environ["VERBATIM_FILE"],
        url=os.environ["EXTERNAL_DOCUMENT_LOADER_URL"],
        api_key=os.environ["EXTERNAL_DOCUMENT_LOADER_API_KEY"],
        mime_type="text/html",
    )
    return [document.page_content for document in loader.load()]


def reranked() -> Any:
    reranker = retrieval.get_rf(
        os.environ["RAG_RERANKING_ENGINE"],
        os.environ["RAG_RERANKING_MODEL"],
        os.environ["RAG_EXTERNAL_RERANKER_URL"],
        os.environ["RAG_EXTERNAL_RERANKER_API_KEY"],
    )
    return reranker.predict([(QUESTION, text) for text in json.loads(os.environ["VERBATIM_DOCUMENTS"])])


def pages(engine: str) -> Any:
    Config.DEFAULTS |= {"web.loader.engine": engine}
    config = asyncio.run(Config.get_many(*retrieval.RETRIEVAL_CONFIG_KEYS.values()))
    loaded = asyncio.run(retrieval.get_web_loader([PAGE], config).aload())
    return [document.page_content for document in loaded]


ANSWER = {
    "bypasses": {
        f"{loader} {embedding}": given_to_the_model(
            bypass_web_loader=loader, bypass_embedding_and_retrieval=embedding
        )
        for loader in (True, False)
        for embedding in (True, False)
    },
    "engines": {
        engine: asyncio.run(found(engine))
        for engine in ("external", "searxng", "firecrawl", "perplexity_search")
    },
    "loaders": {engine: pages(engine) for engine in ("external", "firecrawl")},
    "documents": documents(),
    "scores": reranked(),
}
print("\n" + json.dumps(ANSWER))
