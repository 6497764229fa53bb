// What the styles of an OpenDocument file do: hide text, sheets and slides, or begin a page.
import { readXml } from '../xml.ts'

export interface OpenDocumentStyles {
  /** Whether text, a sheet or a slide of this style is not shown. */
  isHidden(style: string): boolean
  breaksBefore(style: string): boolean
}

/** From the file's common styles and those of its content. */
export function readOpenDocumentStyles(parts: readonly string[]): OpenDocumentStyles {
  const hidden = new Set<string>()
  const breaking = new Set<string>()
  for (const xml of parts) {
    let style = ''
    readXml(xml, {
      open(name, attribute) {
        if (name === 'style') style = attribute('style:name')
        else if (name === 'text-properties' && attribute('text:display') === 'none') hidden.add(style)
        else if (name === 'table-properties' && attribute('table:display') === 'false') hidden.add(style)
        else if (name === 'drawing-page-properties' && attribute('presentation:visibility') === 'hidden')
          hidden.add(style)
        else if (name === 'paragraph-properties' && attribute('fo:break-before') === 'page')
          breaking.add(style)
      },
    })
  }
  return { isHidden: (style) => hidden.has(style), breaksBefore: (style) => breaking.has(style) }
}
