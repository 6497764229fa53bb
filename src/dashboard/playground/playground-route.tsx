// The playground: a search by a signed-in person. It goes through the same contract and the same pipeline as the API,
// spends the person's own quota, and ends when they go away.
import { PassThrough } from 'node:stream'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { parseSearchRequest, type SearchRequest } from '../../contract.ts'
import type { FieldIssue } from '../../contract/body.ts'
import { codeSamples } from './code-samples.ts'
import type { Notice } from '../frame/page.tsx'
import { addPassageRoutes } from './passage-route.tsx'
import { PlaygroundContent, PlaygroundPage, Samples, type PlaygroundAnswer } from './playground-view.tsx'
import { ResultItem } from './results.tsx'
import { addVerifyRoute } from './verify-route.tsx'
import { detach } from '../../concurrency/task-group.ts'
import { goneSignal } from '../../http/request/client-gone.ts'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { SearchOptions, SearchProgress } from '../../search/search-context.ts'
import { isWellFormedKey } from '../../accounts/keys/key.ts'
import { checkFormToken, isSentFirst, readForm, textField } from '../frame/read-form.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { EMPTY_FIELDS, fieldsOf, requestBodyOf, type PlaygroundFields } from './playground-form.ts'
import { examplesFor } from './examples.ts'
import { baseUrl, frameOf, sendPage } from '../frame/respond.ts'
import { quotaSubject, spendPoint } from '../visitor/quota.ts'
import { noteAct } from '../visitor/note-act.ts'
import { sessionOf, signedIn } from '../visitor/visitor.ts'

interface Outcome {
  fields: PlaygroundFields
  issues?: readonly FieldIssue[]
  answer?: PlaygroundAnswer
  notice?: Notice
  /** Made by this request, for the code. */
  sampleKey?: string
  status?: number
}

/** Questions offered to who does not know what to ask. */
const EXAMPLES = 4

export function addPlaygroundRoutes(router: DashboardRouter, parts: DashboardParts): void {
  addVerifyRoute(router, parts)
  addPassageRoutes(router, parts)
  router.post('/playground/key', signedIn, readForm, checkFormToken, (context: DashboardContext) =>
    makeSampleKey(context, parts),
  )
  router.get('/playground', signedIn, async (context: DashboardContext) => {
    const query = context.query['query']
    await showPlayground(context, parts, {
      fields: { ...EMPTY_FIELDS, query: typeof query === 'string' ? query : '' },
    })
  })
  router.post('/playground', signedIn, readForm, checkFormToken, async (context: DashboardContext) => {
    await showPlayground(context, parts, await runSearch(context, parts))
  })
  router.post('/playground/code', signedIn, readForm, checkFormToken, (context: DashboardContext) => {
    const body = requestBodyOf(fieldsOf(context))
    const samples = codeSamples(baseUrl(context, parts.publicUrl), body, keyInForm(context))
    context.type = 'text/html; charset=utf-8'
    context.body = renderToString(<Samples samples={samples} />)
  })
  router.post('/playground/stream', signedIn, readForm, checkFormToken, (context: DashboardContext) => {
    const stream = new PassThrough()
    context.type = 'application/x-ndjson'
    context.body = stream
    const write = (piece: StreamPiece): void => {
      if (stream.writable) stream.write(`${JSON.stringify(piece)}\n`)
    }
    detach(
      streamSearch(context, parts, write).then(() => stream.end()),
      (thrown) => {
        recordFailure(context, thrown, parts.log)
        stream.destroy()
      },
    )
  })
}

/** A line of the stream: how far the search is, a result as soon as its page is done, at last everything the page shows. */
type StreamPiece = { kind: 'result' | 'page'; html: string } | ({ kind: 'progress' } & SearchProgress)

async function streamSearch(
  context: DashboardContext,
  parts: DashboardParts,
  write: (piece: StreamPiece) => void,
): Promise<void> {
  const frame = frameOf(context, parts.assetUrls)
  const outcome = await runSearch(context, parts, {
    onProgress: (progress) => write({ kind: 'progress', ...progress }),
    onResult: (result) =>
      write({ kind: 'result', html: renderToString(<ResultItem frame={frame} result={result} />) }),
  })
  write({ kind: 'page', html: renderToString(await contentOf(context, parts, outcome)) })
}

type Refused = Extract<ReturnType<typeof parseSearchRequest>, { ok: false }>

const refusalOf = (fields: PlaygroundFields, { refused, issues }: Refused): Outcome => ({
  fields,
  issues,
  status: refused === 'query' ? 400 : 422,
})

/** Shows the form again with what is wrong in it. */
export const refuseSearch = (
  context: DashboardContext,
  parts: DashboardParts,
  fields: PlaygroundFields,
  refused: Refused,
): Promise<void> => showPlayground(context, parts, refusalOf(fields, refused))

/** Told while the search goes on. */
type Followers = Pick<SearchOptions, 'onProgress' | 'onResult'>

/** Never rejects: what goes wrong is part of the outcome. */
async function runSearch(
  context: DashboardContext,
  parts: DashboardParts,
  followers: Followers = {},
): Promise<Outcome> {
  const fields = fieldsOf(context)
  const parsed = parseSearchRequest(requestBodyOf(fields))
  if (!parsed.ok) return refusalOf(fields, parsed)
  try {
    await spendPoint(context, parts)
    return { fields, answer: await answerOf(context, parts, parsed.request, followers) }
  } catch (thrown) {
    const error = recordFailure(context, thrown, parts.log)
    if (!context.headerSent) context.set({ ...error.headers })
    return { fields, notice: { tone: 'bad', text: error.detail }, status: error.status }
  }
}

/** The key that the form carries on since it was made; null when there is none. */
function keyInForm(context: DashboardContext): string | null {
  const key = textField(context, 'sample_key')
  return isWellFormedKey(key) ? key : null
}

/** Makes a key of the person's own that lives for an hour, and shows the code with it. */
async function makeSampleKey(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const fields = fieldsOf(context)
  if (!(await isSentFirst(context, parts)))
    return showPlayground(context, parts, { fields, notice: { tone: 'bad', text: MADE_ALREADY } })
  const { record, key } = await parts.keys.create({
    name: SAMPLE_KEY_NAME,
    ownerId: sessionOf(context).user.id,
    expiresAt: new Date(Date.now() + SAMPLE_KEY_MS),
  })
  await noteAct(context, parts, 'key_created', record.name)
  await showPlayground(context, parts, { fields, sampleKey: key, status: 201 })
}

const SAMPLE_KEY_MS = 3_600_000
const SAMPLE_KEY_NAME = 'Playground, for an hour'
const MADE_ALREADY = 'That key was made before and is shown only once. Press the button again for another.'

const SHOWN_INCLUDES = ['proof', 'highlights', 'warning_code', 'explain'] as const

async function answerOf(
  context: DashboardContext,
  parts: DashboardParts,
  request: SearchRequest,
  followers: Followers,
): Promise<PlaygroundAnswer> {
  // Always asked for: proof has the links that open a page at the passage, highlights are marked, codes tell want of time
  // from want of an answer, and explain how each page was read.
  const marked: SearchRequest = {
    ...request,
    include: [...new Set([...request.include, ...SHOWN_INCLUDES])],
  }
  const { response, facts } = await parts.search(
    marked,
    {
      arrivedAtMs: context.state.arrivedAtMs,
      callerId: quotaSubject(context),
      fresh: false,
      onEnd: (end) => {
        context.state.search = end
      },
      ...followers,
    },
    goneSignal(context),
  )
  return { response, stages: facts.stages, engine: facts.provider }
}

async function showPlayground(
  context: DashboardContext,
  parts: DashboardParts,
  outcome: Outcome,
): Promise<void> {
  const frame = frameOf(context, parts.assetUrls)
  const page = <PlaygroundPage frame={frame} content={await contentOf(context, parts, outcome)} />
  sendPage(context, page, outcome.status ?? 200)
}

const examplesOf = async ({ library, documentation }: DashboardParts): Promise<string[]> =>
  examplesFor(await library.newestTitles(EXAMPLES), documentation)

async function contentOf(
  context: DashboardContext,
  parts: DashboardParts,
  outcome: Outcome,
): Promise<JSX.Element> {
  const { fields, sampleKey = keyInForm(context) } = outcome
  const [status, examples] = await Promise.all([
    parts.describeService(),
    fields.query === '' ? examplesOf(parts) : [],
  ])
  const engines = status.parts.filter(({ kind }) => kind === 'search engine')
  return (
    <PlaygroundContent
      frame={frameOf(context, parts.assetUrls)}
      fields={fields}
      notice={outcome.notice ?? null}
      issues={outcome.issues ?? []}
      answer={outcome.answer ?? null}
      troubledEngines={engines.filter(
        ({ state, name }) => state !== 'ready' && state !== 'untried' && name !== 'library',
      )}
      engines={parts.settings.asked}
      examples={examples}
      sampleKey={sampleKey}
      samples={codeSamples(baseUrl(context, parts.publicUrl), requestBodyOf(fields), sampleKey)}
    />
  )
}
