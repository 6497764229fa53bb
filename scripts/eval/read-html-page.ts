// A page of HTML, read for an evaluation as the service reads it, and what of it is content.
import { contentWeightLeast } from '../../src/extract/classify/working-point.ts'
import type { PageText } from '../../src/extract/document.ts'
import { readPage } from '../../src/extract/read-page.ts'

const PATIENCE_MS = 60_000

/** For saved pages whose address nobody kept. */
export const UNKNOWN_ADDRESS = 'https://unknown.example/'

export const readHtmlPage = (html: string, url: string | null): Promise<PageText> =>
  readPage(
    {
      url: url ?? UNKNOWN_ADDRESS,
      mediaType: 'text/html',
      content: html,
      lastModified: null,
      contentLanguage: null,
      now: new Date(),
    },
    AbortSignal.timeout(PATIENCE_MS),
  )

/** The blocks at or above the working point, a line each. */
export function contentOf({ text, blocks }: PageText): string {
  const least = contentWeightLeast(blocks)
  return blocks
    .filter((block) => block.contentWeight >= least)
    .map((block) => text.slice(block.start, block.end))
    .join('\n')
}
