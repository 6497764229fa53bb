// Colours as CSS writes them, as far as two of them can be compared.

export interface Color {
  /** 0 to 255. */
  readonly red: number
  readonly green: number
  readonly blue: number
  /** 0, nothing to be seen, to 1. */
  readonly alpha: number
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['snow', '#fffafa'],
  ['ivory', '#fffff0'],
  ['ghostwhite', '#f8f8ff'],
  ['whitesmoke', '#f5f5f5'],
  ['red', '#ff0000'],
  ['green', '#008000'],
  ['blue', '#0000ff'],
  ['yellow', '#ffff00'],
  ['gray', '#808080'],
  ['grey', '#808080'],
  ['silver', '#c0c0c0'],
  ['navy', '#000080'],
  ['transparent', '#00000000'],
])

/** Two colours this near in each part are one to the eye. */
const NEAR = 4

/** Null for what is no colour by itself: `inherit`, `var(…)`, a picture, a gradient. */
export function parseColor(value: string): Color | null {
  const hex = NAMED.get(value) ?? value
  const digits = /^#([0-9a-f]{3,8})$/.exec(hex)?.[1]
  if (digits !== undefined) return ofDigits(digits)
  const parts = /^rgba?\(([^()]*)\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean)
  if (parts !== undefined) return ofParts(parts)
  const lightness =
    /^hsla?\(\s*[-\d.]+(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%(?:[\s,/]+([\d.]+%?))?\s*\)$/.exec(value)
  return lightness === null ? null : ofLightness(lightness)
}

function ofDigits(digits: string): Color | null {
  const isShort = digits.length <= 4
  if (digits.length === 5 || digits.length === 7) return null
  const part = (index: number): number => {
    const text = isShort ? (digits[index] ?? 'f').repeat(2) : digits.slice(index * 2, index * 2 + 2) || 'ff'
    return parseInt(text, 16)
  }
  return { red: part(0), green: part(1), blue: part(2), alpha: part(3) / 255 }
}

function ofParts(parts: readonly string[]): Color | null {
  const [red, green, blue, alpha] = parts.map((part, index) =>
    part.endsWith('%') ? (parseFloat(part) / 100) * (index === 3 ? 1 : 255) : parseFloat(part),
  )
  if (red === undefined || green === undefined || blue === undefined) return null
  return [red, green, blue].some(Number.isNaN) ? null : { red, green, blue, alpha: alpha ?? 1 }
}

/** Black, white and what is transparent are told; other hues are left alone. */
function ofLightness([, saturation, lightness, opacity]: RegExpExecArray): Color | null {
  const alpha =
    opacity === undefined ? 1 : opacity.endsWith('%') ? parseFloat(opacity) / 100 : parseFloat(opacity)
  const level = Math.round(Number(lightness) * 2.55)
  const isGrey = Number(saturation) === 0 || level === 0 || level === 255
  return isGrey || alpha === 0 ? { red: level, green: level, blue: level, alpha } : null
}

export const sameColor = (left: Color, right: Color): boolean =>
  Math.abs(left.red - right.red) <= NEAR &&
  Math.abs(left.green - right.green) <= NEAR &&
  Math.abs(left.blue - right.blue) <= NEAR
