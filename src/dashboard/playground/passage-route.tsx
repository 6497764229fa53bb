// Of a passage that was quoted, from the text kept when its page was read: what stands around it, and its signed proof to
// save. Neither opens the page again.
import type { JSX } from 'preact'
import { z } from 'zod'
import { fieldIssues } from '../../contract/body.ts'
import { ApiError, invalidFields } from '../../errors.ts'
import type { Surroundings } from '../../search/proof/surroundings.ts'
import type { DashboardParts } from '../context.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { signedIn } from '../visitor/visitor.ts'

const offset = z.coerce.number().int().min(0)
const passageSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/u), start: offset, end: offset })

/** A passage by the digest of its page's text, and its place there. */
export type PassagePlace = z.output<typeof passageSchema>

/** The page that shows a passage with what stands around it. */
export const surroundingsAddress = (place: PassagePlace): string => `/playground/passage?${queryOf(place)}`
/** The signed proof of a passage, to be saved. */
export const proofAddress = (place: PassagePlace): string => `/playground/proof?${queryOf(place)}`

const queryOf = ({ sha256, start, end }: PassagePlace): string =>
  new URLSearchParams({ sha256, start: String(start), end: String(end) }).toString()

export function addPassageRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/playground/passage', signedIn, async (context: DashboardContext) => {
    const { sha256, ...span } = placeOf(context)
    const found = await parts.findSurroundings(sha256, span).catch(throwInWords)
    sendPage(context, <PassagePage frame={frameOf(context, parts.assetUrls)} found={found} />)
  })
  router.get('/playground/proof', signedIn, async (context: DashboardContext) => {
    const { sha256, ...span } = placeOf(context)
    const bundle = await parts.findBundle(sha256, [span]).catch(throwInWords)
    context.set('Cache-Control', 'no-store')
    context.attachment(`verbatim-proof-${sha256.slice(0, 12)}-${span.start}.json`)
    context.type = 'application/json; charset=utf-8'
    context.body = JSON.stringify(bundle, null, 2)
  })
}

/** What the API says of a text that is not kept speaks of digests and fields: here it is said to who reads. */
export function throwInWords(thrown: unknown): never {
  if (!(thrown instanceof ApiError) || thrown.code !== 'capture_unknown') throw thrown
  const { status, code, title } = thrown
  const detail = 'The text of this page is not kept any more. Search again, and it is read anew.'
  throw new ApiError({ status, code, title, detail })
}

function placeOf(context: DashboardContext): PassagePlace {
  const parsed = passageSchema.safeParse(context.query)
  if (!parsed.success) throw invalidFields(fieldIssues(parsed.error, []))
  return parsed.data
}

/** The script takes `.before` and `.after` out of it and shows them around the passage. */
function PassagePage({ frame, found }: { frame: Frame; found: Surroundings }): JSX.Element {
  const { before, text, after } = found
  return (
    <Page frame={frame} style="playground" title="Passage">
      <PageHead title="Passage" above={['/playground', 'Playground']}>
        With what comes right before and after it on its page.
      </PageHead>
      <blockquote class="verified" dir="auto">
        <span class="around before">{before}</span> {text} <span class="around after">{after}</span>
      </blockquote>
    </Page>
  )
}
