// What goes over the wire, generated from the service's OpenAPI document by "npm run openapi". Do not edit.

export type SearchRequest = {
  /** The search query; snippets are extracted as relevant to it. */
  query: string
  /** Number of search results to retrieve and extract from. */
  num_results?: number
  /** Upper bound of snippets per result; fewer may be returned. */
  max_snippets_per_result?: number
  /** How deeply each page is analysed. */
  search_depth?: 'precise' | 'balanced' | 'exhaustive'
  /** Only results published within this window; null for no filter. */
  recency?: 'day' | 'week' | 'month' | 'year' | null
  /** Language of results (BCP 47; the primary sub-tag decides). Left out: that of a query plainly written in another language, else "en". */
  language?: string
  /** Restrict results to these domains and their sub-domains. */
  include_domains?: string[]
  /** Leave out these domains and their sub-domains. */
  exclude_domains?: string[]
  /** Only results published on this day or later (YYYY-MM-DD). */
  start_date?: string | null
  /** Only results published on this day or before (YYYY-MM-DD). */
  end_date?: string | null
  /** How old a kept copy of a page may be, in seconds; 0 reads every page anew. */
  max_age?: number | null
  /** Which page of results: 2 holds what the search engine found after those of 1. */
  page?: number
  /** Leave out snippets with a lower relevance_score; null for what the depth leaves out. */
  min_score?: number | null
  /** Return only snippets of which, over many searches, at most this share is wrong; nothing when no score keeps that. */
  max_error?: number | null
  /** Most characters of all snippets together; filled with the sentences that hold the answer most likely. */
  max_total_characters?: number | null
  /** The same in tokens of a language model, estimated. */
  max_total_tokens?: number | null
  /** Extra fields to add to the answer: "proof", "bundle", "explain", "highlights", "flags", "warning_code". */
  include?: ('proof' | 'bundle' | 'explain' | 'highlights' | 'flags' | 'warning_code')[]
}

export type SearchResponse = {
  query: string
  results: {
    rank: number
    url: string
    title: string
    snippets: {
      /** Verbatim passage from the source page. */
      text: string
      /** Calibrated probability that the passage is relevant. */
      relevance_score: number
      /** The sentences, list items, rows or lines of the text that answer: offsets into `text`, and how likely each does. */
      highlights?: {
        start: number
        end: number
        score: number
      }[]
      start?: number
      end?: number
      text_fragment_url?: string | null
      place?: {
        kind: 'page' | 'sheet' | 'slide' | 'chapter'
        /** From 1, as the document counts. */
        number: number
        /** The sheet's name, the chapter's title. */
        name: string | null
      } | null
      /** What a reader of the text should know: "addresses_model", it gives orders to a language model. */
      flags?: 'addresses_model'[]
      /** The last stage that read the passage. */
      scored_by?: 'first' | 'model' | 'reranker'
      /** What stands above the passage on its page, outermost first: headings, and headers of a table. */
      headings?: string[]
    }[]
    warning: string | null
    publish_date: string | null
    last_updated: string | null
    /** What `warning` says, as a name for programs; null when there is no warning. */
    warning_code?: 'challenge' | 'blocked' | 'consent' | 'login' | 'paywall' | 'not_found' | 'parked' | 'garbled' | 'no_text_layer' | 'empty' | 'from_data' | 'truncated' | 'not_text' | 'encrypted' | 'damaged' | 'too_large' | 'http_status' | 'robots_disallowed' | 'address_refused' | 'too_many_redirects' | 'unreachable' | 'timeout' | 'site_busy' | 'browser_missing' | 'browser_crashed' | 'busy' | 'out_of_time' | 'scores_incomplete' | 'budget_too_small' | 'unexpected' | null
    content_sha256?: string | null
    fetched_at?: string | null
    bundle?: {
      /** A flattened JWS; its payload is the statement. */
      jws: {
        payload: string
        protected: string
        signature: string
      }
      /** In the statement's order. */
      snippets: string[]
      /** The whole text of the page; not in the answer of a search. */
      text?: string
    } | null
  }[]
  total_latency_ms: number
  explain?: Record<string, unknown>
}

export type ReadRequest = {
  /** Return the passages that answer it, the best first. */
  query?: string | null
  /** How `content` is written. */
  format?: 'text' | 'markdown' | 'html'
  /** Of snippets and content of a page together; the snippets come first. */
  max_characters?: number | null
  /** The same in tokens of a language model, estimated on the high side. */
  max_tokens?: number | null
  /** How old a kept copy of a page may be, in seconds; 0 reads every page anew. */
  max_age?: number | null
  /** Extra fields to add to the answer: "proof", "bundle", "warning_code". */
  include?: ('proof' | 'bundle' | 'warning_code')[]
} & ({ url: string; urls?: never } | { url?: never; urls: string[] })

export type ReadResponse = {
  results: {
    /** The address that was asked for. */
    url: string
    /** Where the page was found in the end. */
    final_url: string
    title: string | null
    snippets: {
      text: string
      relevance_score: number
      start?: number
      end?: number
      place?: {
        kind: 'page' | 'sheet' | 'slide' | 'chapter'
        /** From 1, as the document counts. */
        number: number
        /** The sheet's name, the chapter's title. */
        name: string | null
      } | null
    }[]
    /** The page in the format that was asked for; empty when it could not be read. */
    content: string
    /** Whether the page holds more than `content` does. */
    is_cut: boolean
    publish_date: string | null
    last_updated: string | null
    language: string | null
    fetched_at: string | null
    warning: string | null
    warning_code?: 'challenge' | 'blocked' | 'consent' | 'login' | 'paywall' | 'not_found' | 'parked' | 'garbled' | 'no_text_layer' | 'empty' | 'from_data' | 'truncated' | 'not_text' | 'encrypted' | 'damaged' | 'too_large' | 'http_status' | 'robots_disallowed' | 'address_refused' | 'too_many_redirects' | 'unreachable' | 'timeout' | 'site_busy' | 'browser_missing' | 'browser_crashed' | 'busy' | 'out_of_time' | 'scores_incomplete' | 'budget_too_small' | 'unexpected' | null
    failure: {
      /** What kept the page from being read. */
      code: 'challenge' | 'blocked' | 'consent' | 'login' | 'paywall' | 'not_found' | 'parked' | 'garbled' | 'no_text_layer' | 'empty' | 'from_data' | 'truncated' | 'not_text' | 'encrypted' | 'damaged' | 'too_large' | 'http_status' | 'robots_disallowed' | 'address_refused' | 'too_many_redirects' | 'unreachable' | 'timeout' | 'site_busy' | 'browser_missing' | 'browser_crashed' | 'busy' | 'out_of_time' | 'scores_incomplete' | 'budget_too_small' | 'unexpected'
      message: string
      /** Whether asking again later may succeed. */
      retryable: boolean
    } | null
    content_sha256?: string | null
    bundle?: {
      /** A flattened JWS; its payload is the statement. */
      jws: {
        payload: string
        protected: string
        signature: string
      }
      /** In the statement's order. */
      snippets: string[]
      /** The whole text of the page; not in the answer of a search. */
      text?: string
    } | null
  }[]
  total_latency_ms: number
}

export type RerankRequest = {
  /** The search query; snippets are extracted as relevant to it. */
  query: string
  /** The texts to order. */
  documents: string[]
  /** Return only so many, the best first. */
  top_n?: number | null
  /** Leave out documents with a lower relevance_score. */
  min_score?: number | null
}

export type RerankResponse = {
  results: {
    /** Place of the document in the request, from 0. */
    index: number
    /** Calibrated probability that the document answers the query. */
    relevance_score: number
  }[]
  warning: string | null
  total_latency_ms: number
}

export type VerifyRequest = {
  quotes: string[]
  /** Open the page anew and say what has become of each quote since; needs content_sha256. */
  recheck?: boolean
} & ({ url: string; content_sha256?: never } | { url?: never; content_sha256: string })

export type VerifyResponse = {
  url: string | null
  content_sha256: string | null
  fetched_at: string | null
  warning: string | null
  quotes: {
    quote: string
    match: 'exact' | 'normalised' | 'none'
    start: number | null
    end: number | null
    /** With recheck; null when the quote did not stand there before, or the page cannot be opened. */
    now?: {
      standing: 'stands' | 'moved' | 'changed' | 'gone'
      start: number | null
      end: number | null
      /** Of a quote that was changed: `page` is what stands there now, `quote` what stood there. */
      diff: {
        op: 'same' | 'page' | 'quote'
        text: string
      }[] | null
    } | null
  }[]
  /** The page as it was opened anew. */
  recheck?: {
    url: string
    content_sha256: string | null
    fetched_at: string | null
    warning: string | null
  }
}

export type AnswerCheckRequest = {
  /** The text to check, plain or Markdown. */
  answer: string
  /** Addresses of pages, or the content_sha256 of texts lately quoted from; [1] in the answer is the first. */
  sources: string[]
}

export type AnswerCheckResponse = {
  sources: {
    url: string | null
    content_sha256: string | null
    fetched_at: string | null
    warning: string | null
  }[]
  claims: {
    /** A statement names a source without quoting it. */
    kind: 'quotation' | 'block_quote' | 'statement'
    start: number
    end: number
    /** What is said to stand on the page, without marks and markup. */
    text: string
    /** Indexes of the sources that the answer names for it. */
    cited: number[]
    match: 'exact' | 'typographic' | 'altered' | 'absent' | 'not_a_quote'
    /** Index of the source it was found in. */
    source: number | null
    /** Found, but not in the source that the answer names. */
    wrong_source: boolean
    /** Where it stands in the text of the source, and what stands there. */
    place: {
      start: number
      end: number
      text: string
      text_fragment_url: string | null
    } | null
    /** Of an altered quote, in order: words of both, of the page alone, of the quote alone; else empty. */
    diff: {
      op: 'same' | 'page' | 'quote'
      text: string
    }[]
    /** Of what is no quote, the passage of its sources that bears on it most. */
    nearest: {
      source: number
      start: number
      end: number
      text: string
      relevance_score: number
    } | null
  }[]
}

/** Proof that can be handed on: checked without this service by packages/verify. */
export type Bundle = {
  /** A flattened JWS; its payload is the statement. */
  jws: {
    payload: string
    protected: string
    signature: string
  }
  /** In the statement's order. */
  snippets: string[]
  /** The whole text of the page; not in the answer of a search. */
  text?: string
}

export type KeyList = {
  keys: {
    kty: 'OKP'
    crv: 'Ed25519'
    x: string
    /** The thumbprint of the key (RFC 7638). */
    kid: string
    use: 'sig'
    alg: 'EdDSA'
    iat: number
    /** When another key took its place. */
    exp?: number
  }[]
}

/** RFC 9457 problem details. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  request_id: string
  retryable: boolean
  errors?: {
    pointer: string
    message: string
  }[]
}
