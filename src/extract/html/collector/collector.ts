// What is known while a page is parsed: what is gathered so far, and where in the tree the parser stands.
import { createClassReader, type KnownClass } from '../names/class-families.ts'
import type { ElementVisibility } from '../visibility/element-visibility.ts'
import { createHiddenProse, type Revealed } from '../visibility/hidden-prose.ts'
import { createShadowRoots } from '../visibility/shadow-roots.ts'
import { createStreamedSegments } from '../visibility/streamed-segments.ts'
import type { DateMarks } from '../date-markup.ts'
import { type HtmlElement, newElement } from '../element-tree.ts'
import { createPageHead, type PageHead } from '../page-head.ts'
import { createStructureMarks, type StructureMarks } from '../structure-marks.ts'
import { TRAIT } from '../elements.ts'
import { createFormulaRenditions, createMathText } from '../math-text.ts'
import { createRunWriter, type HtmlRun, type RunWriter } from '../text-runs.ts'

/** What a page comes to. */
export interface HtmlRuns {
  runs: HtmlRun[]
  root: HtmlElement
  head: PageHead
  dates: DateMarks
  structure: StructureMarks
  /** A limit was met: the page goes on after the last run. */
  cut: boolean
}

export interface Collector extends HtmlRuns, RunWriter {
  readClass: (names: string | undefined) => KnownClass
  /** Elements opened inside an unshown one; the parser closes as many as it opens. */
  unshown: number
  /** Elements that are open below the deepest one that is kept, or within a formula. */
  unkept: number
  parseDepth: number
  math: ReturnType<typeof createMathText>
  formulas: ReturnType<typeof createFormulaRenditions>
  visibility: ElementVisibility
  hidden: ReturnType<typeof createHiddenProse>
  revealed: Revealed
  shadowRoots: ReturnType<typeof createShadowRoots>
  segments: ReturnType<typeof createStreamedSegments>
  /** Segments that are open, with the elements they stand in by the markup. */
  openSegments: { element: HtmlElement; within: HtmlElement }[]
}

/** Nothing parsed yet. */
export function createCollector(visibility: ElementVisibility, revealed: Revealed): Collector {
  const root = newElement({
    name: '#root',
    traits: TRAIT.block,
    parent: null,
    classes: '',
    id: '',
    style: visibility.initial,
    context: visibility.rootContext,
    families: 0,
    landmarks: 0,
    ariaHidden: false,
    pattern: { elements: 1, words: 0 },
  })
  return {
    ...createRunWriter(root),
    root,
    head: createPageHead(),
    structure: createStructureMarks(),
    cut: false,
    readClass: createClassReader(),
    unshown: 0,
    unkept: 0,
    math: createMathText(),
    formulas: createFormulaRenditions(),
    parseDepth: 0,
    visibility,
    hidden: createHiddenProse(),
    revealed,
    shadowRoots: createShadowRoots(),
    segments: createStreamedSegments(),
    openSegments: [],
  }
}

/** Whether the parser is within a formula, of which only the outermost element is kept. */
export const isInFormula = ({ current }: Collector): boolean => current.name === 'math'
