// Tells from static HTML alone whether a browser would show more than the markup holds.
import { Parser } from 'htmlparser2'
import { collectRuns } from '../html/parse-html.ts'
import { isWholePage } from '../html/visibility/hidden-elements.ts'
import { concealmentOf } from '../styles/concealment.ts'
import { createPageStyles, type PageStyles, type StyleContext } from '../styles/page-styles.ts'
import { readStyleSheets } from '../styles/style-sheet.ts'
import { findStyles } from '../styles/style-sources.ts'
import { isElsewhere, refreshTarget } from './sent-on.ts'
import { shownProse } from './shown-prose.ts'
import { isUnspacedScript } from './text-statistics.ts'

export interface RenderingNeed {
  /** `framed`: the text stands in other pages that this one shows; `sent_on`: it stands where this page sends its readers. */
  verdict: 'enough' | 'thin' | 'framed' | 'sent_on'
  /** What decided, for explain and logs; null when the markup is enough. */
  reason:
    | 'meta-refresh'
    | 'frames'
    | 'challenge'
    | 'empty-mount'
    | 'asks-for-script'
    | 'little-text'
    | 'script-heavy'
    | null
}

const ENOUGH: RenderingNeed = { verdict: 'enough', reason: null }
/** Whatever else these pages say, they are not the ones that are meant. */
const UNDOUBTED: ReadonlySet<RenderingNeed['reason']> = new Set(['meta-refresh', 'challenge'])

/** Less prose than this is no page yet. Characters; one of a script without spaces counts three. */
const LITTLE_PROSE = 200
/** Up to here a sign that the page is built by script decides. */
const DOUBTFUL_PROSE = 800
const UNSPACED_CHARACTER_COUNTS = 3
const HEAVY_SCRIPT_CHARACTERS = 150_000
/** What the static loader reads of a page at most. */
const MOST_CHARACTERS = 8 * 1_024 * 1_024
const CHUNK_CHARACTERS = 32_768
/** Nesting at which looking stops: what was seen decides. */
const DEEPEST_PARSE = 5_000

const NO_PROSE = new Set(
  'script style template svg nav header footer a button select option label textarea'.split(' '),
)
const MOUNT_ID =
  /^(?:root|app|__next|__nuxt|react-root|app-root|main-app|mount|gatsby-focus-wrapper|___gatsby|svelte|q-app|ember-app)$/
const MOUNT_ELEMENT = new Set(['app-root', 'my-app', 'ng-app', 'ion-app'])
const ASKS_FOR_SCRIPT = /javascript|java script|enable js/i
const CHALLENGE =
  /just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|attention required/i

/** In lower case it is as long, and read as HTML asks: see `tag-stream.ts`. */
const CDATA = '<![CDATA['

interface Survey {
  readonly styles: PageStyles
  /** The contexts of the elements that are open. */
  readonly contexts: StyleContext[]
  prose: number
  noProseDepth: number
  depth: number
  scripts: number
  scriptCharacters: number
  inScript: boolean
  inTitle: boolean
  inNoscript: boolean
  title: string
  noscript: string
  /** What a reader without scripts is shown in place of the page. */
  noscriptProse: number
  frames: number
  refreshes: boolean
  /** Depth of the mount element and the prose before it, while it is open. */
  mount: { depth: number; proseBefore: number } | null
  hasEmptyMount: boolean
}

/**
 * Judges a page of any size by its first eight million characters: in about a millisecond, and where it seems to say too
 * little once more by what its reader makes of it, which takes as long as reading it. Throws only the signal's reason.
 */
export async function assessRendering(
  html: string,
  url: string,
  signal: AbortSignal,
): Promise<RenderingNeed> {
  const reason = reasonToRender(surveyOf(html, url))
  if (reason === null) return ENOUGH
  const isSaid = !UNDOUBTED.has(reason) && (await saysEnough(html, signal))
  return isSaid ? ENOUGH : { verdict: verdictOf(reason), reason }
}

function verdictOf(reason: RenderingNeed['reason']): RenderingNeed['verdict'] {
  if (reason === 'frames') return 'framed'
  return reason === 'meta-refresh' ? 'sent_on' : 'thin'
}

/** The reader puts what is streamed in its place, opens what opens, and shows what waits for scripts to fade it in. */
async function saysEnough(html: string, signal: AbortSignal): Promise<boolean> {
  const { runs } = await collectRuns(html.slice(0, MOST_CHARACTERS), signal)
  return shownProse(runs, DOUBTFUL_PROSE) >= DOUBTFUL_PROSE
}

function reasonToRender(survey: Survey): RenderingNeed['reason'] {
  if (survey.refreshes) return 'meta-refresh'
  const { prose } = survey
  // Forums hand the whole page to readers without scripts in this way.
  if (survey.noscriptProse >= DOUBTFUL_PROSE) return null
  if (prose < LITTLE_PROSE && survey.frames > 0) return 'frames'
  if (survey.scripts === 0) return null
  if (prose < DOUBTFUL_PROSE) {
    if (CHALLENGE.test(survey.title)) return 'challenge'
    if (survey.hasEmptyMount) return 'empty-mount'
    if (ASKS_FOR_SCRIPT.test(survey.noscript)) return 'asks-for-script'
  }
  if (prose < LITTLE_PROSE) return 'little-text'
  return prose < DOUBTFUL_PROSE && survey.scriptCharacters > HEAVY_SCRIPT_CHARACTERS ? 'script-heavy' : null
}

function surveyOf(page: string, url: string): Survey {
  const html = page.slice(0, MOST_CHARACTERS).replaceAll(CDATA, CDATA.toLowerCase())
  const survey: Survey = {
    styles: stylesOf(html),
    contexts: [],
    prose: 0,
    noProseDepth: 0,
    depth: 0,
    scripts: 0,
    scriptCharacters: 0,
    inScript: false,
    inTitle: false,
    inNoscript: false,
    title: '',
    noscript: '',
    noscriptProse: 0,
    frames: 0,
    refreshes: false,
    mount: null,
    hasEmptyMount: false,
  }
  const parser = new Parser({
    onopentag: (name, attributes) => open(survey, name, attributes, url),
    ontext: (text) => hear(survey, text),
    onclosetag: (name) => close(survey, name),
  })
  for (
    let at = 0;
    at < html.length && survey.depth < DEEPEST_PARSE && survey.prose < DOUBTFUL_PROSE;
    at += CHUNK_CHARACTERS
  )
    parser.write(html.slice(at, at + CHUNK_CHARACTERS))
  return survey
}

function open(survey: Survey, name: string, attributes: Record<string, string>, url: string): void {
  survey.depth++
  const isHidden = opensHidden(survey, name, attributes)
  if (survey.noProseDepth > 0 || isHidden || NO_PROSE.has(name)) survey.noProseDepth++
  if (name === 'script') openScript(survey, attributes)
  else if (name === 'link') survey.scripts += isScriptLink(attributes) ? 1 : 0
  else if (name === 'title') survey.inTitle = true
  else if (name === 'noscript') survey.inNoscript = true
  else if (name === 'frame' || name === 'iframe') survey.frames++
  else if (name === 'meta') survey.refreshes ||= !survey.inNoscript && leadsOn(attributes, url)
  else if (survey.mount === null && (MOUNT_ELEMENT.has(name) || MOUNT_ID.test(attributes['id'] ?? '')))
    survey.mount = { depth: survey.depth, proseBefore: survey.prose }
}

function stylesOf(html: string): PageStyles {
  const { sheets, hasOthers } = findStyles(html)
  const rules = readStyleSheets(sheets)
  return createPageStyles(rules, !hasOthers)
}

/** What a person does not see is not enough to be read. */
function opensHidden(
  { styles, contexts }: Survey,
  name: string,
  attributes: Record<string, string>,
): boolean {
  const { class: classes = '', id = '', style, hidden } = attributes
  const parent = contexts.at(-1) ?? styles.root
  const context = styles.inside(parent, name, classes, id)
  contexts.push(context)
  if (isWholePage(name)) return false
  const own = styles.styleOf({ name, classes, id, parent }, context, style, false)
  if (hidden !== undefined && hidden !== 'until-found' && own.display === undefined) return true
  return concealmentOf(own) !== null || own.visibility === 'hidden'
}

function openScript(survey: Survey, attributes: Record<string, string>): void {
  if (/json/i.test(attributes['type'] ?? '')) return
  survey.scripts++
  survey.inScript = true
}

/** A page that fetches scripts ahead runs them, wherever it names them. */
const isScriptLink = ({ rel = '', as = '' }: Record<string, string>): boolean =>
  /\bmodulepreload\b/i.test(rel) || (/\bpreload\b/i.test(rel) && as.toLowerCase() === 'script')

function hear(survey: Survey, text: string): void {
  if (survey.inScript) survey.scriptCharacters += text.length
  else if (survey.inTitle) survey.title += text.slice(0, 200)
  else if (survey.inNoscript) hearNoscript(survey, text)
  else if (survey.noProseDepth === 0) survey.prose += proseOf(text)
}

function hearNoscript(survey: Survey, text: string): void {
  if (survey.noscript.length < 2_000) survey.noscript += text
  if (survey.noProseDepth === 0) survey.noscriptProse += proseOf(text)
}

/** Letters and digits; spaces and punctuation say nothing. */
function proseOf(text: string): number {
  let prose = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isUnspacedScript(code)) prose += UNSPACED_CHARACTER_COUNTS
    else if (
      code > 127 ||
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57)
    )
      prose++
  }
  return prose
}

function close(survey: Survey, name: string): void {
  if (survey.mount !== null && survey.mount.depth === survey.depth) {
    survey.hasEmptyMount ||= survey.prose - survey.mount.proseBefore < LITTLE_PROSE / 4
    survey.mount = null
  }
  survey.depth--
  survey.contexts.pop()
  if (survey.noProseDepth > 0) survey.noProseDepth--
  if (name === 'script') survey.inScript = false
  else if (name === 'title') survey.inTitle = false
  else if (name === 'noscript') survey.inNoscript = false
}

function leadsOn(attributes: Record<string, string>, url: string): boolean {
  const target = refreshTarget(attributes, url)
  return target !== null && isElsewhere(target, url)
}
