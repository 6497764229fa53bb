// Which rules of a page's styles may hide something: a cheap look for values that hide, in the text of its sheets.
import type { StyleRule } from './style-sheet.ts'

const LONGEST_INK_BLOCK = 1_000

interface HidingValue {
  /** Where to look, and what hides there. */
  readonly name: string
  readonly value: RegExp
  /** It hides only together with another value of the same block. */
  readonly beside?: string
}

/** Each is tried wherever its name stands: what it looks over between the name and the value has an end. */
const NOTHING_WIDE = /[a-z-]{0,30}\s{0,30}:\s*(?:0(?:\.0+)?(?:px|r?em|%|vh|vw)?|1px|0?\.\d+px)\s*[;}!]/y
const FAR_AWAY = /[a-z-]{0,30}\s{0,30}[:(][^;{}]{0,30}?(?:-\d{3,}|\d{4,}|-\d{2,}(?:\.\d+)?r?em)/y
/** A cheap look for values that hide, in the text of a sheet in lower case. */
const HIDING_VALUES: readonly HidingValue[] = [
  { name: 'content-visibility', value: /content-visibility/y },
  {
    name: 'opacity',
    value: /opacity\s*[:(]\s*(?:0(?![.\d])|0?\.0)/y,
  },
  {
    name: 'font',
    value:
      /font(?:-size)?\s*:[^;{}]{0,60}?[\s:](?:[01](?:\.\d+)?(?:px|pt)?|0?\.\d+(?:px|pt|r?em)?)\s*[;}!/]/y,
  },
  ...['left', 'right', 'top', 'bottom', 'text-indent', 'translate', 'inset'].map((name) => ({
    name,
    value: FAR_AWAY,
  })),
  { name: 'clip', value: /clip\s*:\s*rect/y },
  { name: 'clip-path', value: /clip-path\s*:\s*(?:inset|circle|polygon)/y },
  {
    name: 'scale',
    value: /scale(?:[xy]|3d)?\s*[:(]\s*(?:0(?![.\d])|[\d.]+\s*,\s*0)/y,
  },
  ...['width', 'height', 'size'].map((name) => ({ name, value: NOTHING_WIDE, beside: 'overflow' })),
  {
    name: 'color',
    value:
      /color\s*:\s*(?:transparent|rgba\([^()]{0,30}[,/]\s*0?\.?0*\s*\)|#[0-9a-f]{3}0\b|#[0-9a-f]{6}00\b)/y,
  },
]

/**
 * Adds to `found` the places of those of a sheet's rules that may hide something; `orders` are the places of all of
 * them.
 */
export function findHidingRules(
  css: string,
  orders: readonly number[],
  rules: readonly StyleRule[],
  found: Set<number>,
): void {
  const lower = css.toLowerCase()
  const text = lower.length === css.length ? lower : css
  for (const hiding of HIDING_VALUES) {
    for (const order of rulesAt(text, hiding.name, orders, rules)) {
      if (found.has(order)) continue
      const rule = rules[order]
      if (rule !== undefined && hides(text, rule, hiding)) found.add(order)
    }
  }
  for (const order of rulesAt(text, 'background', orders, rules)) {
    const rule = rules[order]
    if (rule !== undefined && isUnreadable(rule)) found.add(order)
  }
}

/** Places of the rules in whose blocks `name` stands, in order. */
export function* rulesAt(
  css: string,
  name: string,
  orders: readonly number[],
  rules: readonly StyleRule[],
): Generator<number> {
  let next = 0
  for (let at = css.indexOf(name); at !== -1;) {
    let rule = rules[orders[next] ?? -1]
    while (rule !== undefined && rule.blockEnd <= at) rule = rules[orders[++next] ?? -1]
    const order = orders[next]
    if (rule === undefined || order === undefined) return
    const isInside = rule.blockStart <= at
    if (isInside) yield order
    at = css.indexOf(name, isInside ? rule.blockEnd : Math.max(at + name.length, rule.blockStart))
  }
}

function hides(
  css: string,
  { blockStart, blockEnd }: StyleRule,
  { name, value, beside }: HidingValue,
): boolean {
  if (beside !== undefined && !css.slice(blockStart, blockEnd).includes(beside)) return false
  for (
    let at = css.indexOf(name, blockStart);
    at !== -1 && at < blockEnd;
    at = css.indexOf(name, at + name.length)
  ) {
    value.lastIndex = at
    if (value.test(css)) return true
  }
  return false
}

/** A rule that gives text the colour of what is behind it. */
function isUnreadable({ css, blockStart, blockEnd }: StyleRule): boolean {
  const block = css.slice(blockStart, Math.min(blockEnd, blockStart + LONGEST_INK_BLOCK))
  const background = /background(?:-color)?\s*:\s*([^;}!]{3,40}?)\s*(?:[;}!]|$)/i.exec(block)?.[1]
  const color = /(?:^|[;\s])color\s*:\s*([^;}!]{3,40}?)\s*(?:[;}!]|$)/i.exec(block)?.[1]
  return color !== undefined && color.toLowerCase() === background?.toLowerCase()
}
