// Whether a media query holds on the screen that a page is read for: 1280 pixels wide, light, with a mouse.

export type Verdict = 'holds' | 'fails' | 'unknown'

const SCREEN_WIDTH_PIXELS = 1280
const SCREEN_HEIGHT_PIXELS = 800
const EM_PIXELS = 16
const LONGEST_QUERY = 500

const FEATURES: ReadonlyMap<string, Verdict> = new Map([
  ['orientation:landscape', 'holds'],
  ['orientation:portrait', 'fails'],
  ['prefers-color-scheme:light', 'holds'],
  ['prefers-color-scheme:dark', 'fails'],
  ['prefers-reduced-motion:no-preference', 'holds'],
  ['prefers-reduced-motion:reduce', 'fails'],
  ['prefers-reduced-motion', 'fails'],
  ['hover:hover', 'holds'],
  ['any-hover:hover', 'holds'],
  ['hover:none', 'fails'],
  ['any-hover:none', 'fails'],
  ['hover', 'holds'],
  ['pointer:fine', 'holds'],
  ['pointer:coarse', 'fails'],
  ['pointer:none', 'fails'],
  ['forced-colors:active', 'fails'],
  ['forced-colors:none', 'holds'],
  ['color', 'holds'],
  ['scripting:none', 'fails'],
  ['scripting:enabled', 'holds'],
])

/** Judges the prelude of an `@media` rule, or the `media` attribute of a `<style>`. An empty one holds. */
export function judgeMedia(query: string): Verdict {
  if (query.length > LONGEST_QUERY) return 'unknown'
  const parts = query.toLowerCase().split(',')
  const verdicts = new Set(parts.map((part) => judgeOne(part.trim())))
  if (verdicts.has('holds')) return 'holds'
  return verdicts.has('unknown') ? 'unknown' : 'fails'
}

function judgeOne(query: string): Verdict {
  if (query === '') return 'holds'
  const isNegated = /^not\s/.test(query)
  const terms = query.replace(/^(?:not|only)\s+/, '').split(/\s+and\s+/)
  const verdict = conjunction(terms.map((term) => judgeTerm(term.trim())))
  if (!isNegated) return verdict
  return verdict === 'holds' ? 'fails' : verdict === 'fails' ? 'holds' : 'unknown'
}

function conjunction(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fails')) return 'fails'
  return verdicts.includes('unknown') ? 'unknown' : 'holds'
}

function judgeTerm(term: string): Verdict {
  if (term === 'all' || term === 'screen') return 'holds'
  if (/^(?:print|speech|tty|tv|projection|handheld|braille|embossed|aural)$/.test(term)) return 'fails'
  const feature = /^\(\s*([^()]*?)\s*\)$/.exec(term)?.[1]
  if (feature === undefined) return 'unknown'
  return FEATURES.get(feature.replace(/\s*:\s*/, ':')) ?? judgeLength(feature)
}

function judgeLength(feature: string): Verdict {
  const named = /^(min|max)-(?:device-)?(width|height)\s*:\s*(.+)$/.exec(feature)
  if (named !== null) {
    const [, bound, axis = '', length = ''] = named
    return compare(axis, bound === 'min' ? '>=' : '<=', length)
  }
  const after = /^(width|height)\s*(<=|>=|<|>|=)\s*([^<>=]+)$/.exec(feature)
  if (after !== null) return compare(after[1] ?? '', after[2] ?? '', after[3] ?? '')
  const around = /^([^<>=]+?)\s*(<=?|>=?)\s*(width|height)(?:\s*(<=?|>=?)\s*([^<>=]+))?$/.exec(feature)
  if (around === null) return 'unknown'
  const [, low = '', first = '', axis = '', second, high] = around
  const left = compare(axis, first.replace('<', '#').replace('>', '<').replace('#', '>'), low)
  return second === undefined || high === undefined ? left : conjunction([left, compare(axis, second, high)])
}

function compare(axis: string, operator: string, length: string): Verdict {
  const match = /^([\d.]+)(px|r?em)?$/.exec(length.trim())
  if (match === null) return 'unknown'
  const pixels = Number(match[1]) * (match[2] === 'em' || match[2] === 'rem' ? EM_PIXELS : 1)
  const own = axis === 'width' ? SCREEN_WIDTH_PIXELS : SCREEN_HEIGHT_PIXELS
  const holds =
    (operator.startsWith('<') && own < pixels) ||
    (operator.startsWith('>') && own > pixels) ||
    (operator.endsWith('=') && own === pixels)
  return holds ? 'holds' : 'fails'
}
