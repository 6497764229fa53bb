// Which lines of Markdown are code: fences, told line after line.

/** Longer ones are none. */
const MARK = /^ {0,3}(`{3,40}|~{3,40})(.*)$/
const LANGUAGE = /^ {0,3}([\w+#.-]{0,30})/

/** The number of a fence on the page, and the language that it names, in small letters. */
export interface Fence {
  readonly number: number
  readonly language: string | null
}

/** Where a line stands: it opens or closes a fence, it is code of one, or neither. */
export type FencePlace = 'mark' | Fence | null

/**
 * Told line after line. What closes a fence has its sign, is at least as long and stands alone, so that code may show
 * fences (CommonMark 0.31.2, section 4.5).
 */
export function createFenceReader(): (line: string) => FencePlace {
  let open: { mark: string; fence: Fence } | null = null
  let fences = 0
  return (line) => {
    const [, mark = '', rest = ''] = MARK.exec(line) ?? []
    if (open !== null) {
      const isEnd = mark.startsWith(open.mark) && rest.trim() === ''
      const { fence } = open
      if (isEnd) open = null
      return isEnd ? 'mark' : fence
    }
    // Three signs in a line of words are code within it.
    if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return null
    const name = LANGUAGE.exec(rest)?.[1] ?? ''
    open = { mark, fence: { number: fences++, language: name === '' ? null : name.toLowerCase() } }
    return 'mark'
  }
}
