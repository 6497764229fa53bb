// A page that is Markdown to the tree of an HTML page: without the raw HTML it may hold, links leading to the web alone.
import type { Nodes, RootContent as MarkdownContent } from 'mdast'
import type { Element } from 'hast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { toHast } from 'mdast-util-to-hast'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { PageText } from '../document.ts'
import { linkAddress } from './inline-text.ts'

/** The children of the page's root; an image is its description. */
export function markdownToHast(page: PageText): Element[] {
  const tree = fromMarkdown(page.text, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  })
  mendAddresses(tree, page)
  const root = toHast(tree)
  return root.type === 'root' ? root.children.filter((child) => child.type === 'element') : []
}

function mendAddresses(node: Nodes, page: PageText): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  for (const [index, child] of children.entries()) {
    mendAddresses(child, page)
    if (child.type === 'image' || child.type === 'imageReference')
      children[index] = { type: 'text', value: child.alt ?? '' }
    else if (child.type === 'link' || child.type === 'definition') {
      const url = linkAddress(page, { start: 0, end: 0, target: child.url })
      if (url !== null) child.url = url
      else children[index] = withoutLink(child)
    }
  }
}

/** What a link that leads nowhere else says. */
function withoutLink(node: Extract<Nodes, { type: 'link' | 'definition' }>): MarkdownContent {
  return node.type === 'definition'
    ? { type: 'text', value: '' }
    : { type: 'emphasis', children: node.children, data: { hName: 'span' } }
}
