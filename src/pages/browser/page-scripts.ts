// Scripts that are evaluated inside a rendered page: how one is made of functions, and the two small ones that ask how
// far the page is and scroll it.
//
// The functions are sent to the page as source text: they may use only each other, their arguments and what a page
// offers.
import { z } from 'zod'

/** An expression to be evaluated in the page, and what it must give: the page is not to be trusted. */
export interface PageScript<T> {
  readonly expression: string
  readonly result: z.ZodType<T>
}

/** What the page looks like just now; cheap enough to ask every few milliseconds. */
const pageProbeSchema = z.object({
  readyState: z.enum(['loading', 'interactive', 'complete']),
  textLength: z.number(),
  /** The page has means to change by itself: scripts, or a refresh that is due soon. */
  mayChange: z.boolean(),
  url: z.string(),
})
export type PageProbe = z.output<typeof pageProbeSchema>

/** An expression that defines the functions and makes the call. */
export function sourceOf(functions: readonly ((...parameters: never[]) => unknown)[], call: string): string {
  // Some compilers wrap nested functions in a call to `__name`; the page has no such function.
  const sources = ['const __name = (target) => target', ...functions.map(String)].join('\n')
  return `(() => {\n${sources}\nreturn ${call}\n})()`
}

/** The functions as an object of the page. By the names in their source: a bundler may have given them others than ours. */
export function namesInPage(
  functions: Readonly<Record<string, (...parameters: never[]) => unknown>>,
): string {
  const members = Object.entries(functions).map(([name, inPage]) => {
    const [, given = name] = /^function (\w+)/u.exec(String(inPage)) ?? []
    return `${name}: ${given}`
  })
  return `{ ${members.join(', ')} }`
}

export function pageProbeScript(): PageScript<PageProbe> {
  return { expression: sourceOf([probePage], 'probePage()'), result: pageProbeSchema }
}

/** Scrolls by almost a window; tells whether the end is reached. */
export function scrollScript(): PageScript<boolean> {
  return { expression: sourceOf([scrollOn], 'scrollOn()'), result: z.boolean() }
}

function scrollOn(): boolean {
  scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })
  const root: Element | null = document.documentElement
  return root === null || scrollY + innerHeight >= root.scrollHeight - 2
}

function probePage(): PageProbe {
  const refresh = document.querySelector('meta[http-equiv="refresh" i]')
  const delay = refresh === null ? Infinity : parseFloat(refresh.getAttribute('content') ?? '')
  return {
    readyState: document.readyState,
    textLength: document.body?.textContent?.length ?? 0,
    mayChange: document.scripts.length > 0 || delay < 5,
    url: location.href,
  }
}
