"""What goes over the wire, generated from the service's OpenAPI document by "npm run openapi". Do not edit."""

from typing import Any, Literal, NotRequired, TypedDict


class SearchOptions(TypedDict):
    """What may be added to the call; see SearchRequest."""

    num_results: NotRequired[int]
    """Number of search results to retrieve and extract from."""
    max_snippets_per_result: NotRequired[int]
    """Upper bound of snippets per result; fewer may be returned."""
    search_depth: NotRequired[Literal["precise", "balanced", "exhaustive"]]
    """How deeply each page is analysed."""
    recency: NotRequired[Literal["day", "week", "month", "year"] | None]
    """Only results published within this window; null for no filter."""
    language: NotRequired[str]
    """Language of results (BCP 47; the primary sub-tag decides). Left out: that of a query plainly written in another language, else "en"."""
    include_domains: NotRequired[list[str]]
    """Restrict results to these domains and their sub-domains."""
    exclude_domains: NotRequired[list[str]]
    """Leave out these domains and their sub-domains."""
    start_date: NotRequired[str | None]
    """Only results published on this day or later (YYYY-MM-DD)."""
    end_date: NotRequired[str | None]
    """Only results published on this day or before (YYYY-MM-DD)."""
    max_age: NotRequired[int | None]
    """How old a kept copy of a page may be, in seconds; 0 reads every page anew."""
    page: NotRequired[int]
    """Which page of results: 2 holds what the search engine found after those of 1."""
    min_score: NotRequired[float | None]
    """Leave out snippets with a lower relevance_score; null for what the depth leaves out."""
    max_error: NotRequired[float | None]
    """Return only snippets of which, over many searches, at most this share is wrong; nothing when no score keeps that."""
    max_total_characters: NotRequired[int | None]
    """Most characters of all snippets together; filled with the sentences that hold the answer most likely."""
    max_total_tokens: NotRequired[int | None]
    """The same in tokens of a language model, estimated."""
    include: NotRequired[list[Literal["proof", "bundle", "explain", "highlights", "flags", "warning_code"]]]
    """Extra fields to add to the answer: "proof", "bundle", "explain", "highlights", "flags", "warning_code"."""


class SearchRequest(SearchOptions):
    query: str
    """The search query; snippets are extracted as relevant to it."""


class SearchResponseResultSnippetHighlight(TypedDict):
    start: int
    end: int
    score: float


class SearchResponseResultSnippetPlace(TypedDict):
    kind: Literal["page", "sheet", "slide", "chapter"]
    number: int
    """From 1, as the document counts."""
    name: str | None
    """The sheet's name, the chapter's title."""


class SearchResponseResultSnippet(TypedDict):
    text: str
    """Verbatim passage from the source page."""
    relevance_score: float
    """Calibrated probability that the passage is relevant."""
    highlights: NotRequired[list[SearchResponseResultSnippetHighlight]]
    """The sentences, list items, rows or lines of the text that answer: offsets into `text`, and how likely each does."""
    start: NotRequired[int]
    end: NotRequired[int]
    text_fragment_url: NotRequired[str | None]
    place: NotRequired[SearchResponseResultSnippetPlace | None]
    flags: NotRequired[list[Literal["addresses_model"]]]
    """What a reader of the text should know: "addresses_model", it gives orders to a language model."""
    scored_by: NotRequired[Literal["first", "model", "reranker"]]
    """The last stage that read the passage."""
    headings: NotRequired[list[str]]
    """What stands above the passage on its page, outermost first: headings, and headers of a table."""


class SearchResponseResultBundleJws(TypedDict):
    """A flattened JWS; its payload is the statement."""

    payload: str
    protected: str
    signature: str


class SearchResponseResultBundle(TypedDict):
    """Proof that can be handed on: checked without this service by packages/verify."""

    jws: SearchResponseResultBundleJws
    """A flattened JWS; its payload is the statement."""
    snippets: list[str]
    """In the statement's order."""
    text: NotRequired[str]
    """The whole text of the page; not in the answer of a search."""


class SearchResponseResult(TypedDict):
    rank: int
    url: str
    title: str
    snippets: list[SearchResponseResultSnippet]
    warning: str | None
    publish_date: str | None
    last_updated: str | None
    warning_code: NotRequired[Literal["challenge", "blocked", "consent", "login", "paywall", "not_found", "parked", "garbled", "no_text_layer", "empty", "from_data", "truncated", "not_text", "encrypted", "damaged", "too_large", "http_status", "robots_disallowed", "address_refused", "too_many_redirects", "unreachable", "timeout", "site_busy", "browser_missing", "browser_crashed", "busy", "out_of_time", "scores_incomplete", "budget_too_small", "unexpected"] | None]
    """What `warning` says, as a name for programs; null when there is no warning."""
    content_sha256: NotRequired[str | None]
    fetched_at: NotRequired[str | None]
    bundle: NotRequired[SearchResponseResultBundle | None]


class SearchResponse(TypedDict):
    query: str
    results: list[SearchResponseResult]
    total_latency_ms: int
    explain: NotRequired[dict[str, Any]]


class ReadOptions(TypedDict):
    """What may be added to the call; see ReadRequest."""

    url: NotRequired[str]
    """The page to read; or several as `urls`."""
    urls: NotRequired[list[str]]
    """The pages to read."""
    query: NotRequired[str | None]
    """Return the passages that answer it, the best first."""
    format: NotRequired[Literal["text", "markdown", "html"]]
    """How `content` is written."""
    max_characters: NotRequired[int | None]
    """Of snippets and content of a page together; the snippets come first."""
    max_tokens: NotRequired[int | None]
    """The same in tokens of a language model, estimated on the high side."""
    max_age: NotRequired[int | None]
    """How old a kept copy of a page may be, in seconds; 0 reads every page anew."""
    include: NotRequired[list[Literal["proof", "bundle", "warning_code"]]]
    """Extra fields to add to the answer: "proof", "bundle", "warning_code"."""


class ReadRequest(ReadOptions):
    pass


class ReadResponseResultSnippetPlace(TypedDict):
    kind: Literal["page", "sheet", "slide", "chapter"]
    number: int
    """From 1, as the document counts."""
    name: str | None
    """The sheet's name, the chapter's title."""


class ReadResponseResultSnippet(TypedDict):
    text: str
    relevance_score: float
    start: NotRequired[int]
    end: NotRequired[int]
    place: NotRequired[ReadResponseResultSnippetPlace | None]


class ReadResponseResultFailure(TypedDict):
    code: Literal["challenge", "blocked", "consent", "login", "paywall", "not_found", "parked", "garbled", "no_text_layer", "empty", "from_data", "truncated", "not_text", "encrypted", "damaged", "too_large", "http_status", "robots_disallowed", "address_refused", "too_many_redirects", "unreachable", "timeout", "site_busy", "browser_missing", "browser_crashed", "busy", "out_of_time", "scores_incomplete", "budget_too_small", "unexpected"]
    """What kept the page from being read."""
    message: str
    retryable: bool
    """Whether asking again later may succeed."""


class ReadResponseResultBundleJws(TypedDict):
    """A flattened JWS; its payload is the statement."""

    payload: str
    protected: str
    signature: str


class ReadResponseResultBundle(TypedDict):
    """Proof that can be handed on: checked without this service by packages/verify."""

    jws: ReadResponseResultBundleJws
    """A flattened JWS; its payload is the statement."""
    snippets: list[str]
    """In the statement's order."""
    text: NotRequired[str]
    """The whole text of the page; not in the answer of a search."""


class ReadResponseResult(TypedDict):
    url: str
    """The address that was asked for."""
    final_url: str
    """Where the page was found in the end."""
    title: str | None
    snippets: list[ReadResponseResultSnippet]
    content: str
    """The page in the format that was asked for; empty when it could not be read."""
    is_cut: bool
    """Whether the page holds more than `content` does."""
    publish_date: str | None
    last_updated: str | None
    language: str | None
    fetched_at: str | None
    warning: str | None
    warning_code: NotRequired[Literal["challenge", "blocked", "consent", "login", "paywall", "not_found", "parked", "garbled", "no_text_layer", "empty", "from_data", "truncated", "not_text", "encrypted", "damaged", "too_large", "http_status", "robots_disallowed", "address_refused", "too_many_redirects", "unreachable", "timeout", "site_busy", "browser_missing", "browser_crashed", "busy", "out_of_time", "scores_incomplete", "budget_too_small", "unexpected"] | None]
    failure: ReadResponseResultFailure | None
    content_sha256: NotRequired[str | None]
    bundle: NotRequired[ReadResponseResultBundle | None]


class ReadResponse(TypedDict):
    results: list[ReadResponseResult]
    total_latency_ms: int


class RerankOptions(TypedDict):
    """What may be added to the call; see RerankRequest."""

    top_n: NotRequired[int | None]
    """Return only so many, the best first."""
    min_score: NotRequired[float | None]
    """Leave out documents with a lower relevance_score."""


class RerankRequest(RerankOptions):
    query: str
    """The search query; snippets are extracted as relevant to it."""
    documents: list[str]
    """The texts to order."""


class RerankResponseResult(TypedDict):
    index: int
    """Place of the document in the request, from 0."""
    relevance_score: float
    """Calibrated probability that the document answers the query."""


class RerankResponse(TypedDict):
    results: list[RerankResponseResult]
    warning: str | None
    total_latency_ms: int


class VerifyOptions(TypedDict):
    """What may be added to the call; see VerifyRequest."""

    url: NotRequired[str]
    content_sha256: NotRequired[str]
    recheck: NotRequired[bool]
    """Open the page anew and say what has become of each quote since; needs content_sha256."""


class VerifyRequest(VerifyOptions):
    quotes: list[str]


class VerifyResponseQuoteNowDiff(TypedDict):
    op: Literal["same", "page", "quote"]
    text: str


class VerifyResponseQuoteNow(TypedDict):
    standing: Literal["stands", "moved", "changed", "gone"]
    start: int | None
    end: int | None
    diff: list[VerifyResponseQuoteNowDiff] | None
    """Of a quote that was changed: `page` is what stands there now, `quote` what stood there."""


class VerifyResponseQuote(TypedDict):
    quote: str
    match: Literal["exact", "normalised", "none"]
    start: int | None
    end: int | None
    now: NotRequired[VerifyResponseQuoteNow | None]
    """With recheck; null when the quote did not stand there before, or the page cannot be opened."""


class VerifyResponseRecheck(TypedDict):
    """The page as it was opened anew."""

    url: str
    content_sha256: str | None
    fetched_at: str | None
    warning: str | None


class VerifyResponse(TypedDict):
    url: str | None
    content_sha256: str | None
    fetched_at: str | None
    warning: str | None
    quotes: list[VerifyResponseQuote]
    recheck: NotRequired[VerifyResponseRecheck]
    """The page as it was opened anew."""


class AnswerCheckOptions(TypedDict):
    """What may be added to the call; see AnswerCheckRequest."""



class AnswerCheckRequest(AnswerCheckOptions):
    answer: str
    """The text to check, plain or Markdown."""
    sources: list[str]
    """Addresses of pages, or the content_sha256 of texts lately quoted from; [1] in the answer is the first."""


class AnswerCheckResponseSource(TypedDict):
    url: str | None
    content_sha256: str | None
    fetched_at: str | None
    warning: str | None


class AnswerCheckResponseClaimPlace(TypedDict):
    start: int
    end: int
    text: str
    text_fragment_url: str | None


class AnswerCheckResponseClaimDiff(TypedDict):
    op: Literal["same", "page", "quote"]
    text: str


class AnswerCheckResponseClaimNearest(TypedDict):
    source: int
    start: int
    end: int
    text: str
    relevance_score: float


class AnswerCheckResponseClaim(TypedDict):
    kind: Literal["quotation", "block_quote", "statement"]
    """A statement names a source without quoting it."""
    start: int
    end: int
    text: str
    """What is said to stand on the page, without marks and markup."""
    cited: list[int]
    """Indexes of the sources that the answer names for it."""
    match: Literal["exact", "typographic", "altered", "absent", "not_a_quote"]
    source: int | None
    """Index of the source it was found in."""
    wrong_source: bool
    """Found, but not in the source that the answer names."""
    place: AnswerCheckResponseClaimPlace | None
    """Where it stands in the text of the source, and what stands there."""
    diff: list[AnswerCheckResponseClaimDiff]
    """Of an altered quote, in order: words of both, of the page alone, of the quote alone; else empty."""
    nearest: AnswerCheckResponseClaimNearest | None
    """Of what is no quote, the passage of its sources that bears on it most."""


class AnswerCheckResponse(TypedDict):
    sources: list[AnswerCheckResponseSource]
    claims: list[AnswerCheckResponseClaim]


class BundleJws(TypedDict):
    """A flattened JWS; its payload is the statement."""

    payload: str
    protected: str
    signature: str


class Bundle(TypedDict):
    """Proof that can be handed on: checked without this service by packages/verify."""

    jws: BundleJws
    """A flattened JWS; its payload is the statement."""
    snippets: list[str]
    """In the statement's order."""
    text: NotRequired[str]
    """The whole text of the page; not in the answer of a search."""


class KeyListKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    """The thumbprint of the key (RFC 7638)."""
    use: Literal["sig"]
    alg: Literal["EdDSA"]
    iat: int
    exp: NotRequired[int]
    """When another key took its place."""


class KeyList(TypedDict):
    keys: list[KeyListKey]


class ProblemError(TypedDict):
    pointer: str
    message: str


class Problem(TypedDict):
    """RFC 9457 problem details."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool
    errors: NotRequired[list[ProblemError]]
