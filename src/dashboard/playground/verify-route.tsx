// The button “Verify” beside a passage: the same check as POST /v1/verify makes, against the text kept under its digest.
import type { JSX } from 'preact'
import { parseVerifyRequest, type VerifyResponse } from '../../contract/verify.ts'
import { invalidFields } from '../../errors.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import type { DashboardParts } from '../context.ts'
import { formatMoment } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { proofAddress, throwInWords } from './passage-route.tsx'
import { frameOf, sendPage } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { spendPoint } from '../visitor/quota.ts'
import { signedIn } from '../visitor/visitor.ts'

export function addVerifyRoute(router: DashboardRouter, parts: DashboardParts): void {
  router.post('/playground/verify', signedIn, readForm, checkFormToken, async (context: DashboardContext) => {
    // Forms send every line break as two characters; pages' texts have one.
    const quote = textField(context, 'quote').replace(/\r\n/gu, '\n')
    const digest = textField(context, 'content_sha256')
    const parsed = parseVerifyRequest({ content_sha256: digest, quotes: [quote] })
    if (!parsed.ok) throw invalidFields(parsed.issues)
    await spendPoint(context, parts)
    const verdict = await parts.pageAccess.verify(parsed.request, goneSignal(context)).catch(throwInWords)
    sendPage(context, <VerifyPage frame={frameOf(context, parts.assetUrls)} verdict={verdict} />)
  })
}

/** What became of the passage; the script takes `.verdict` out of it and shows it beside the button. */
function VerifyPage({ frame, verdict }: { frame: Frame; verdict: VerifyResponse }): JSX.Element {
  const [quote] = verdict.quotes
  return (
    <Page frame={frame} style="playground" title="Verify">
      <PageHead title="Verify" above={['/playground', 'Playground']}>
        {verdict.url ?? 'A text that was kept.'}
      </PageHead>
      {quote !== undefined && (
        <>
          <blockquote class="verified" dir="auto">
            {quote.quote}
          </blockquote>
          <Verdict verdict={verdict} quote={quote} />
        </>
      )}
    </Page>
  )
}

const MATCHES = {
  exact: 'On the page, letter for letter',
  normalised: 'On the page, but for spaces, case or typographic signs',
  none: 'Not on the page',
} as const

function Verdict({ verdict, quote }: { verdict: VerifyResponse; quote: VerifyResponse['quotes'][number] }) {
  const { start, end, match } = quote
  return (
    <div class={`verdict match-${match}`} tabIndex={-1}>
      <p>
        <strong>
          {match === 'none' ? '✗' : '✓'} {MATCHES[match]}
        </strong>
        {start !== null && end !== null && `, characters ${start} to ${end} of its text`}
        {verdict.fetched_at !== null && `, captured ${formatMoment(new Date(verdict.fetched_at))}`}.
      </p>
      <p class="quiet small">
        SHA-256 of the text: <code>{verdict.content_sha256}</code>
      </p>
      {match === 'exact' && verdict.content_sha256 !== null && start !== null && end !== null && (
        <p class="small">
          <a href={proofAddress({ sha256: verdict.content_sha256, start, end })}>Save the signed proof</a>,
          which <a href="/docs/proof#check">anyone can check offline</a>.
        </p>
      )}
    </div>
  )
}
