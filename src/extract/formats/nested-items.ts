// Items of lists within one another, told by how far what is printed before them is indented.
import type { ListItem } from '../document.ts'

interface OpenItem {
  readonly indent: number
  readonly item: ListItem
}

/** Follows the lists of a text from its beginning to its end. Indents are in whatever unit, compared with one another. */
export function createNestedItems() {
  const open: OpenItem[] = []
  let lists = 0

  function closeDeeper(indent: number): OpenItem | undefined {
    while ((open.at(-1)?.indent ?? -1) > indent) open.pop()
    return open.at(-1)?.indent === indent ? open.pop() : undefined
  }

  return {
    /** The next item; `number` is what is printed before it, null in a list without numbers. */
    next(indent: number, number: number | null): ListItem {
      const before = closeDeeper(indent)?.item
      const goesOn = before !== undefined && (before.number === null) === (number === null)
      const item: ListItem = {
        list: goesOn ? before.list : lists++,
        index: goesOn ? before.index + 1 : 0,
        number,
        parent: open.at(-1)?.item ?? null,
        quoteDepth: 0,
      }
      open.push({ indent, item })
      return item
    },

    /** Text that begins no item: the one that it belongs to, being indented further than its mark. */
    around(indent: number): ListItem | null {
      closeDeeper(indent)
      return open.at(-1)?.item ?? null
    },

    /** No item is open any more but one that is indented exactly so, with those around it. */
    keepOnly(indent: number | null): void {
      open.length = open.findIndex((one) => one.indent === indent) + 1
    },
  }
}
