// Shadow roots written out in HTML: what a browser shows of their hosts in place of what stands in these themselves.
import type { HtmlElement } from '../element-tree.ts'

/** Beside custom elements; in any other such a template is one like all. */
const MAY_HOST = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
)

interface OpenRoot {
  readonly template: HtmlElement
  hasSlot: boolean
}

/** Takes note, while the parser runs, of shadow roots without a slot: what else stands in their hosts is not shown. */
export function createShadowRoots() {
  const open: OpenRoot[] = []
  /** Of several templates in one host the first is its root. */
  const hosts = new Set<HtmlElement>()
  const slotless = new Set<HtmlElement>()

  return {
    /** A shown element opens. */
    open(element: HtmlElement): void {
      if (element.name === 'template') open.push({ template: element, hasSlot: false })
    },

    /** An element opens, shown or not: what cannot be decided counts as a slot. */
    noteSlot(): void {
      const root = open.at(-1)
      if (root !== undefined) root.hasSlot = true
    },

    close(element: HtmlElement): void {
      if (open.at(-1)?.template !== element) return
      const host = element.parent
      const root = open.pop()
      if (host === null || hosts.has(host)) return
      hosts.add(host)
      if (root?.hasSlot !== false) return
      if (MAY_HOST.has(host.name) || host.name.includes('-')) slotless.add(host)
    },

    /** Whether what opens right inside `parent` has no slot to be shown in. */
    isUnslotted: (parent: HtmlElement): boolean => slotless.size > 0 && slotless.has(parent),
  }
}
