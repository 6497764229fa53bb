// The words of a diagram (SmartArt, ECMA-376 Part 1, §21.4): its points, each under the one that it belongs to.
import { readXml, type Attribute } from '../xml.ts'

/** As deep as programs let them be nested, and more. */
const DEPTH_MAX = 50
/** Points that only place others. */
const PLACING = 'pres'

interface Points {
  /** By their ids: the paragraphs of each. */
  texts: Map<string, string[]>
  /** By the id of what they belong to. */
  children: Map<string, { id: string; order: number }[]>
  /** What nothing is above. */
  roots: string[]
}

/** The paragraphs of a diagram's data, in the order in which they are shown. */
export function readDiagram(xml: string): string[] {
  const { texts, children, roots } = readPoints(xml)
  const lines: string[] = []
  const seen = new Set<string>()
  function visit(id: string, depth: number): void {
    if (seen.has(id) || depth > DEPTH_MAX) return
    seen.add(id)
    for (const line of texts.get(id) ?? []) lines.push(line)
    const below = (children.get(id) ?? []).toSorted((left, right) => left.order - right.order)
    for (const child of below) visit(child.id, depth + 1)
  }
  for (const root of roots) visit(root, 0)
  for (const id of texts.keys()) visit(id, 0)
  return lines.filter((line) => line.trim() !== '')
}

function readPoints(xml: string): Points {
  const points: Points = { texts: new Map(), children: new Map(), roots: [] }
  let paragraphs: string[] | null = null
  let isText = false
  function openPoint(attribute: Attribute): void {
    const [id, type] = [attribute('modelId'), attribute('type')]
    paragraphs = type === PLACING ? null : []
    if (paragraphs !== null) points.texts.set(id, paragraphs)
    if (type === 'doc') points.roots.push(id)
  }
  function connect(attribute: Attribute): void {
    if (!['', 'parOf'].includes(attribute('type'))) return
    const source = attribute('srcId')
    const known = points.children.get(source) ?? []
    known.push({ id: attribute('destId'), order: Number(attribute('srcOrd')) })
    points.children.set(source, known)
  }
  readXml(xml, {
    open(name, attribute) {
      if (name === 'pt') openPoint(attribute)
      if (name === 'cxn') connect(attribute)
      if (name === 'p') paragraphs?.push('')
      isText = name === 't' && (paragraphs?.length ?? 0) > 0
    },
    text(part) {
      if (isText && paragraphs !== null) paragraphs.push(`${paragraphs.pop() ?? ''}${part}`)
    },
    close(name) {
      isText = false
      if (name === 'pt') paragraphs = null
    },
  })
  return points
}
