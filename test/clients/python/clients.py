"""The clients for Python, each as its documentation shows it. Prints what an application would hand to its model.

Arguments: the name of one of the functions below. Address, key and question come from the environment.
"""

import asyncio
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

URL = os.environ["VERBATIM_URL"]
KEY = os.environ["VERBATIM_KEY"]
QUESTION = os.environ["VERBATIM_QUESTION"]
PAGE = os.environ["VERBATIM_PAGE"]
DOCUMENTS = json.loads(os.environ["VERBATIM_DOCUMENTS"])

# What Tavily's client counts tokens with would be fetched from afar; LlamaIndex brings it along.
LLAMA_INDEX = Path(find_spec("llama_index.core").origin).parent
os.environ["TIKTOKEN_CACHE_DIR"] = str(LLAMA_INDEX / "_static" / "tiktoken_cache")


def tavily() -> Any:
    from tavily import AsyncTavilyClient, InvalidAPIKeyError, TavilyClient

    client = TavilyClient(api_key=KEY, api_base_url=f"{URL}/compat/tavily")
    asynchronous = AsyncTavilyClient(api_key=KEY, api_base_url=f"{URL}/compat/tavily")
    try:
        TavilyClient(api_key="vbt_wrong", api_base_url=f"{URL}/compat/tavily").search(QUESTION)
        refused = None
    except InvalidAPIKeyError as error:
        refused = str(error)
    return {
        "search": client.search(QUESTION, max_results=3, search_depth="advanced", timeout=30),
        "asynchronous": asyncio.run(asynchronous.search(QUESTION, max_results=3)),
        "context": json.loads(client.get_search_context(QUESTION, max_results=3)),
        "extract": client.extract([PAGE], query=QUESTION, format="text"),
        "refused": refused,
    }


def langchain_tavily() -> Any:
    from langchain_tavily import TavilyExtract, TavilySearch

    options: Any = {"tavily_api_key": KEY, "api_base_url": f"{URL}/compat/tavily"}
    # As an agent calls it: the message is what the model reads.
    call = {"name": "tavily_search", "args": {"query": QUESTION}, "id": "1", "type": "tool_call"}
    return {
        "message": TavilySearch(max_results=3, **options).invoke(call).content,
        "extract": TavilyExtract(**options).invoke({"urls": [PAGE]}),
    }


def firecrawl() -> Any:
    from firecrawl import Firecrawl, V1FirecrawlApp

    client = Firecrawl(api_key=KEY, api_url=f"{URL}/compat/firecrawl")
    old = V1FirecrawlApp(api_key=KEY, api_url=f"{URL}/compat/firecrawl")
    found = client.search(QUESTION, limit=3, timeout=30_000)
    page = client.scrape(PAGE, formats=["markdown", "rawHtml"], timeout=30_000)
    return {
        "search": [result.model_dump() for result in found.web],
        "scrape": page.model_dump(),
        "v1_search": old.search(QUESTION, limit=3).data,
        "v1_scrape": old.scrape_url(PAGE, formats=["markdown"]).model_dump(),
    }


def exa() -> Any:
    from exa_py import Exa

    client = Exa(KEY, base_url=f"{URL}/compat/exa")

    def plain(response: Any) -> Any:
        return [vars(result) for result in response.results]

    return {
        "search": plain(client.search(QUESTION, num_results=3, contents={"highlights": True, "text": True})),
        "contents": plain(client.get_contents([PAGE], text=True, highlights={"query": QUESTION})),
        "printed": str(client.search_and_contents(QUESTION, num_results=3, highlights=True)),
    }


def cohere() -> Any:
    import cohere

    new = cohere.ClientV2(KEY, base_url=f"{URL}/compat/cohere")
    old = cohere.Client(KEY, base_url=f"{URL}/compat/cohere")
    options: Any = {"model": "rerank-v3.5", "query": QUESTION, "documents": DOCUMENTS, "top_n": 2}
    return {
        "version_2": [result.dict() for result in new.rerank(**options).results],
        "version_1": [result.dict() for result in old.rerank(**options, return_documents=True).results],
    }


def agno() -> Any:
    from agno.knowledge.document import Document
    from agno.tools.firecrawl import FirecrawlTools
    from agno.tools.searxng import Searxng

    made: dict[str, Any] = {}
    exec(os.environ["VERBATIM_SETUP"], made)
    crawler = FirecrawlTools(api_url=f"{URL}/compat/firecrawl", api_key=KEY)
    instance = Searxng(host=f"{URL}/compat/searxng/{os.environ['VERBATIM_TOKEN']}")
    ranked = made["reranker"].rerank(QUESTION, [Document(content=text) for text in DOCUMENTS])
    return {
        "search": json.loads(made["search"].web_search_using_tavily(QUESTION)),
        "context": json.loads(made["search"].web_search_with_tavily(QUESTION)),
        "read": made["read"].read_url(PAGE),
        "reranked": [{"text": document.content, "score": document.reranking_score} for document in ranked],
        "firecrawl": json.loads(crawler.search_web(QUESTION)),
        "scrape": json.loads(crawler.scrape_website(PAGE)),
        "searxng": json.loads(instance.search_web(QUESTION)),
    }


def litellm() -> Any:
    from litellm import Router, search

    router = Router(**yaml.safe_load(os.environ["VERBATIM_SETUP"]))
    bases = {
        "tavily": "tavily",
        "exa_ai": "exa",
        "firecrawl": "firecrawl/v2",
        "searxng": f"searxng/{os.environ['VERBATIM_TOKEN']}",
    }

    async def ask_router() -> Any:
        found = await router.asearch(query=QUESTION, search_tool_name="verbatim", max_results=3)
        ranked = await router.arerank(model="verbatim-rerank", query=QUESTION, documents=DOCUMENTS, top_n=2)
        return {"search": found.model_dump()["results"], "reranked": ranked.model_dump()["results"]}

    return {
        "router": asyncio.run(ask_router()),
        "providers": {
            provider: search(
                query=QUESTION,
                search_provider=provider,
                api_base=f"{URL}/compat/{base}",
                api_key=KEY,
                max_results=3,
            ).model_dump()["results"]
            for provider, base in bases.items()
        },
    }


def mcp() -> Any:
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    async def ask(server: Any) -> Any:
        async with Client(server, read_timeout_seconds=120) as client:
            tools = await client.list_tools()
            found = await client.call_tool("search", {"query": QUESTION})
            page = await client.call_tool("fetch", {"id": PAGE})
            checked = await client.call_tool("verify", {"url": PAGE, "quotes": [DOCUMENTS[1]]})
            texts = [answer.content[0].text for answer in (found, page, checked)]
            return {"tools": [tool.name for tool in tools.tools], "texts": texts}

    async def over_http() -> Any:
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            return await ask(streamable_http_client(f"{URL}/mcp", http_client=http))

    environment = json.loads(os.environ["VERBATIM_STDIO"])
    command = environment.pop("command")
    over_stdio = StdioServerParameters(command=command[0], args=command[1:], env={**os.environ, **environment})
    return {
        "http": asyncio.run(over_http()),
        "token": asyncio.run(ask(f"{URL}/mcp/{os.environ['VERBATIM_TOKEN']}")),
        "stdio": asyncio.run(ask(over_stdio)),
    }


if __name__ == "__main__":
    print("\n" + json.dumps(globals()[sys.argv[1]](), default=str))
