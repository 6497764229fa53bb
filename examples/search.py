# Searches with Python's standard library.
#   VERBATIM_URL=http://127.0.0.1:3000 VERBATIM_KEY=vbt_… python3 examples/search.py "your question"
import json
import os
import sys
import urllib.request

request = urllib.request.Request(
    os.environ.get("VERBATIM_URL", "http://127.0.0.1:3000") + "/v1/search",
    data=json.dumps({"query": sys.argv[1], "search_depth": "exhaustive"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['VERBATIM_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=60) as response:
    for result in json.load(response)["results"]:
        for snippet in result["snippets"]:
            print(f"{snippet['relevance_score']:.2f} {result['url']}\n{snippet['text']}\n")
