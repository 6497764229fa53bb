// Finds passages of our own documentation by the pipeline that reads named pages: opened where this process answers, cut
// and scored as the pages of any search.
import type { Documentation } from '../dashboard/docs/docs-view.tsx'
import type { SearchDocumentation } from '../dashboard/docs/docs-search.ts'
import { overloaded } from '../errors.ts'
import type { AdmittedReadPages } from '../search/given/admitted-work.ts'

/** Of all passages that are shown. */
const CHARACTERS_MAX = 20_000
const PAGES_SHOWN = 6
const PASSAGES_PER_PAGE = 2
/** Below it a passage is rather one that does not answer, and nothing is a better answer. */
const RELEVANCE_MIN = 0.2

export function createDocumentationSearch(
  readPages: AdmittedReadPages,
  pages: Documentation,
  ownUrl: string,
): SearchDocumentation {
  return async function searchDocumentation(query, options, signal) {
    const request = {
      urls: pages.map(({ slug }) => `${ownUrl}/docs/${slug}`),
      format: 'text' as const,
      query,
      budget: { maxCharacters: CHARACTERS_MAX, maxTokens: null },
      maxAgeMs: null,
      isProofWanted: false,
      isBundleWanted: false,
    }
    const read = await readPages(request, options, signal)
    const found = read
      .flatMap(({ snippets }, index) => {
        const [page, best] = [pages[index], snippets[0]]
        if (page === undefined || best === undefined || best.relevance < RELEVANCE_MIN) return []
        const passages = snippets
          .filter(({ relevance }) => relevance >= RELEVANCE_MIN)
          .slice(0, PASSAGES_PER_PAGE)
          .map(({ text, relevance, headings }) => ({ text, relevance, heading: headings.at(-1) ?? null }))
        return [{ slug: page.slug, title: page.title, passages, relevance: best.relevance }]
      })
      .toSorted((left, right) => right.relevance - left.relevance)
      .slice(0, PAGES_SHOWN)
    // Nothing was found because not everything was read: that nothing answers would be untrue.
    if (found.length === 0 && read.some(({ failure }) => failure !== null)) throw overloaded()
    return found
  }
}
