"""Both clients against the running service."""

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest

from verbatim_client import AsyncVerbatim, Verbatim, VerbatimError, search_result_blocks

QUESTION = os.environ["VERBATIM_QUESTION"]
PASSAGE = os.environ["VERBATIM_PASSAGE"]


def test_search_gives_passages_with_their_scores_and_what_was_asked_for_beside_them(verbatim: Any, page: str) -> None:
    answer = verbatim.search(QUESTION, search_depth="exhaustive", include=["proof"])
    first = answer["results"][0]
    assert (answer["query"], first["url"]) == (QUESTION, page)
    assert PASSAGE in first["snippets"][0]["text"]
    assert 0 < first["snippets"][0]["relevance_score"] <= 1
    assert len(first["content_sha256"]) == 64


def test_stream_gives_results_and_last_of_all_the_summary(verbatim: Any) -> None:
    events = list(verbatim.stream(QUESTION, search_depth="exhaustive"))
    assert [event["event"] for event in events[:-1]] == ["result"] * len(events[:-1])
    assert len(events) > 1
    assert PASSAGE in events[-1]["summary"]["results"][0]["snippets"][0]["text"]


def test_stream_can_be_left_early_and_the_client_used_on(verbatim: Any) -> None:
    events = verbatim.stream(QUESTION)
    assert next(events)["event"] == "result"
    events.close()
    assert verbatim.search(QUESTION)["results"]


def test_read_gives_a_page_and_the_failure_of_another(verbatim: Any, page: str) -> None:
    found, missing = verbatim.read(urls=[page, f"{page}/missing"], query=QUESTION, format="markdown")["results"]
    assert PASSAGE in found["content"] and PASSAGE in found["snippets"][0]["text"]
    assert (missing["content"], missing["failure"]["retryable"]) == ("", False)
    assert verbatim.read(url=page, fresh=True)["results"][0]["title"] == found["title"]


def test_rerank_puts_what_answers_first(verbatim: Any) -> None:
    answer = verbatim.rerank(QUESTION, ["The harbour lies between two hills.", PASSAGE], top_n=1)
    assert [result["index"] for result in answer["results"]] == [1]


def test_verify_tells_true_quotes_from_others(verbatim: Any, page: str) -> None:
    quotes = verbatim.verify([PASSAGE, "never said"], url=page)["quotes"]
    assert [quote["match"] for quote in quotes] == ["exact", "none"]


def test_verify_answer_tells_what_the_sources_bear_out(verbatim: Any, page: str) -> None:
    answer = f"It says:\n\n> {PASSAGE}\n\nas stands in [1]."
    claims = verbatim.verify_answer(answer, [page])["claims"]
    assert [(claim["kind"], claim["match"]) for claim in claims][0] == ("block_quote", "exact")


def test_a_refusal_carries_status_code_fields_and_request_id(verbatim: Any, connect: Callable[..., Any]) -> None:
    with pytest.raises(VerbatimError) as refused:
        verbatim.search("q", num_results=99)
    error = refused.value
    assert (error.status, error.code, error.retryable) == (422, "validation_failed", False)
    assert [issue["pointer"] for issue in error.issues] == ["/num_results"]
    assert error.request_id is not None and error.request_id.startswith("req_")
    with pytest.raises(VerbatimError, match="401 unauthorized"):
        connect(os.environ["VERBATIM_URL"], "vbt_wrong").search("q")


def test_half_of_a_surrogate_pair_is_refused_by_the_service(verbatim: Any) -> None:
    with pytest.raises(VerbatimError) as refused:
        verbatim.search("\ud83e")
    assert refused.value.status == 400


def test_langchain_gets_one_document_for_each_passage(page: str) -> None:
    from verbatim_client.langchain import VerbatimRetriever

    url, key = os.environ["VERBATIM_URL"], os.environ["VERBATIM_KEY"]
    options = {"search_depth": "exhaustive"}
    with Verbatim(url, key) as client:
        retriever = VerbatimRetriever(client=client, options=options)
        blocking = retriever.invoke(QUESTION)
        on_a_thread = asyncio.run(retriever.ainvoke(QUESTION))

        async def with_asyncio() -> Any:
            async with AsyncVerbatim(url, key) as async_client:
                both = VerbatimRetriever(client=client, async_client=async_client, options=options)
                return await both.ainvoke(QUESTION)

        assert blocking == on_a_thread == asyncio.run(with_asyncio())
    assert PASSAGE in blocking[0].page_content
    assert blocking[0].metadata["source"] == page
    assert 0 < blocking[0].metadata["relevance_score"] <= 1
    assert blocking[0].metadata["link"].startswith(f"{page}#:~:text=")


def test_llama_index_gets_one_scored_node_for_each_passage(page: str) -> None:
    from verbatim_client.llama_index import VerbatimRetriever

    url, key = os.environ["VERBATIM_URL"], os.environ["VERBATIM_KEY"]
    with Verbatim(url, key) as client:
        blocking = VerbatimRetriever(client, search_depth="exhaustive").retrieve(QUESTION)

        async def with_asyncio() -> Any:
            async with AsyncVerbatim(url, key) as async_client:
                return await VerbatimRetriever(client, async_client, search_depth="exhaustive").aretrieve(QUESTION)

        later = asyncio.run(with_asyncio())
    assert [node.text for node in later] == [node.text for node in blocking]
    assert PASSAGE in blocking[0].text
    assert blocking[0].score is not None and 0 < blocking[0].score <= 1
    assert blocking[0].metadata["source"] == page


def test_anthropic_gets_one_block_for_each_page_with_passages(verbatim: Any, page: str) -> None:
    blocks = search_result_blocks(verbatim.search(QUESTION, search_depth="exhaustive"))
    assert (blocks[0]["type"], blocks[0]["source"]) == ("search_result", page)
    assert PASSAGE in blocks[0]["content"][0]["text"]
    assert all(block["content"] and block["citations"]["enabled"] for block in blocks)
