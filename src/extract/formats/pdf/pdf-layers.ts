// Layers of a PDF that nobody sees until they are switched on: other languages, remarks, drafts (ISO 32000-1, §8.11).
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.js'

export type PdfText = TextItem | TextMarkedContent

/** Takes a page's text with the marks in it, and returns the words that are not in a hidden layer. */
export type WithoutHidden = (page: PDFPageProxy, text: readonly PdfText[]) => Promise<TextItem[]>

/** What the mark of a layer is called. */
const LAYER = 'OC'

export const isWords = (item: PdfText): item is TextItem => 'str' in item

/** Null for a document whose layers, if it has any, are all seen: there nothing need be asked. */
export async function hiddenLayers(document: PDFDocumentProxy): Promise<WithoutHidden | null> {
  const config = await document.getOptionalContentConfig()
  if ([...config].every(([id]) => Boolean(config.isVisible({ type: 'OCG', id })))) return null
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const drawings = new Set([OPS.paintFormXObjectBegin, OPS.beginGroup, OPS.paintImageXObject])

  return async (page, text) => {
    if (!text.some(beginsLayer)) return text.filter(isWords)
    const { fnArray, argsArray } = await page.getOperatorList()
    const marks = fnArray.flatMap((operator, index) => {
      const [tag, layer] = operator === OPS.beginMarkedContentProps ? argsArray[index] : []
      // A drawing may be in a layer of its own, of which its text tells nothing.
      return tag === LAYER ? [{ layer, isDrawing: drawings.has(fnArray[index + 1] ?? 0) }] : []
    })
    const count = text.filter(beginsLayer).length
    const told = [marks, marks.filter(({ isDrawing }) => !isDrawing)].find(({ length }) => length === count)
    return told === undefined
      ? text.filter(isWords)
      : outside(
          text,
          told.map(({ layer }) => !config.isVisible(layer)),
        )
  }
}

const beginsLayer = (item: PdfText): boolean =>
  !isWords(item) && item.type === 'beginMarkedContentProps' && 'tag' in item && item.tag === LAYER

/** The words that stand in no layer that is hidden; `hidden` tells it of each in the order in which they begin. */
function outside(text: readonly PdfText[], hidden: readonly boolean[]): TextItem[] {
  const open: boolean[] = []
  let layers = 0
  return text.filter((item): item is TextItem => {
    const isHidden = open.at(-1) ?? false
    if (isWords(item)) return !isHidden
    if (item.type === 'endMarkedContent') open.pop()
    else open.push((beginsLayer(item) && hidden[layers++] === true) || isHidden)
    return false
  })
}
