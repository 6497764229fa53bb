// The styles that a page gives its elements itself: its own `<style>` rules and `style` attributes, as CSS weighs them.
import {
  type Declaration,
  parseDeclarations,
  SOME_DISPLAY,
  type Style,
  type StyleProperty,
} from './declarations.ts'
import { mayHideAlone, seemsHidden } from './concealment.ts'
import { type Candidate, createRuleIndex, findTellingRules, type RuleIndex } from './rule-index.ts'
import { isSelected, isSubject, type LooksLeft, type StyledElement } from './selectors.ts'
import type { StyleRule } from './style-sheet.ts'

/** Matching on a page stops here; whatever was not judged by then counts as shown. */
const MOST_MATCHES = 3_000_000
/** The same of the looks that matching takes: at each element as what a rule may mean, and at each one around it. */
const MOST_LOOKS = 30_000_000
const MOST_CONTEXTS = 100_000
const LONGEST_ATTRIBUTE = 2_000

/** What a rule says, and the rank of the layer that it stands in. */
type Block = Pick<Candidate, 'declarations' | 'layer'>
type Blocks = readonly Block[]

/** The style of an element of which the page says nothing. */
export const NO_STYLE: Style = {}
const NO_BLOCKS: Blocks = []

/**
 * What rules can tell elements apart by: a name, and those classes and ids, its own and of those around it, that rules
 * speak of. Elements that they cannot tell apart share one, and what was found for it.
 */
export interface StyleContext extends StyledElement {
  readonly parent: StyleContext | null
  /** What the rules say, by rising weight. */
  readonly blocks: Blocks
  readonly style: Style
  /** A rule hides it, if no other undoes that: all of them are to be asked. */
  readonly mayHide: boolean
  readonly inside: Map<string, StyleContext>
}

export interface PageStyles {
  /** The context around the root element. */
  readonly root: StyleContext
  /** The context of an element inside `parent`. */
  inside(parent: StyleContext, name: string, classes: string, id: string): StyleContext
  /**
   * What the page says about an element; `attribute` is its `style`. `NO_STYLE` where it says nothing. Unless
   * `isWhole`, of what cannot hide it nor make a box of it some is left out.
   */
  styleOf(
    element: StyledElement,
    context: StyleContext,
    attribute: string | undefined,
    isWhole: boolean,
  ): Style
}

interface Found {
  readonly blocks: Blocks
  readonly mayHide: boolean
}

const NOTHING_FOUND: Found = { blocks: NO_BLOCKS, mayHide: false }

const newContext = (
  { name, classes, id, parent }: StyledElement & { parent: StyleContext | null },
  { blocks, mayHide }: Found,
): StyleContext => {
  const style = cascade(blocks)
  return {
    name,
    classes,
    id,
    parent,
    blocks,
    style,
    mayHide: mayHide && seemsHidden(style),
    inside: new Map(),
  }
}

/** Returns what finds the rules that select an element; all it finds on a page draws from one budget. */
function createFinder(hiding: ReadonlySet<number>): (index: RuleIndex, element: StyledElement) => Found {
  const looks: LooksLeft = { count: MOST_LOOKS }
  let matches = 0
  return (index, element) => {
    const found: Candidate[] = []
    let mayHide = false
    for (const candidates of index.candidatesFor(element)) {
      for (const candidate of candidates) {
        if (looks.count-- <= 0) return NOTHING_FOUND
        if (!isSubject(element, candidate.selector)) continue
        if (matches++ >= MOST_MATCHES) return NOTHING_FOUND
        if (!isSelected(element, candidate.selector, looks)) continue
        found.push(candidate)
        mayHide ||= hiding.has(candidate.order)
      }
    }
    if (found.length === 0) return NOTHING_FOUND
    return { blocks: found.toSorted(byWeight), mayHide }
  }
}

/** Prepares rules for being looked up. `isAllKnown`: the page has no styles but these. */
export function createPageStyles(rules: readonly StyleRule[], isAllKnown: boolean): PageStyles {
  const { telling, hiding } = findTellingRules(rules)
  const nearIndex = createRuleIndex(rules, isAllKnown ? rules.keys() : telling)
  // Colours are passed on: where all of them are known, every rule counts for every element.
  let whole = isAllKnown ? nearIndex : null
  const attributes = new Map<string, readonly Declaration[]>()
  const root = newContext({ name: '#root', classes: '', id: '', parent: null }, NOTHING_FOUND)
  const find = createFinder(hiding)
  let contexts = 0

  function attributeOf(attribute: string): readonly Declaration[] {
    const known = attributes.get(attribute)
    if (known !== undefined) return known
    const declarations = parseDeclarations(attribute.slice(0, LONGEST_ATTRIBUTE))
    attributes.set(attribute, declarations)
    return declarations
  }

  function blocksOf(element: StyledElement, context: StyleContext): Blocks {
    if (isAllKnown) return context.blocks
    whole ??= createRuleIndex(rules, rules.keys())
    return find(whole, element).blocks
  }

  return {
    root,

    inside(parent, name, allClasses, anyId) {
      if (nearIndex.isEmpty) return root
      const classes = allClasses === '' ? '' : nearIndex.spokenOf(allClasses)
      const id = anyId !== '' && nearIndex.isSpokenOf(anyId) ? anyId : ''
      const key = classes === '' && id === '' ? name : `${name} ${classes}#${id}`
      const known = parent.inside.get(key)
      if (known !== undefined) return known
      if (contexts++ >= MOST_CONTEXTS) return root
      const element = { name, classes, id, parent }
      const context = newContext(element, find(nearIndex, element))
      parent.inside.set(key, context)
      return context
    },

    styleOf(element, context, attribute, isWhole) {
      const own = attribute === undefined ? NO_DECLARATIONS : attributeOf(attribute)
      const near = own.length === 0 ? context.style : cascade([...context.blocks, ofAttribute(own)])
      const mayHide = context.mayHide || (own.some(mayHideAlone) && seemsHidden(near))
      if (!isWhole && !mayHide) return near
      const blocks = blocksOf(element, context)
      if (own.length > 0) return cascade([...blocks, ofAttribute(own)])
      return blocks === context.blocks ? context.style : cascade(blocks)
    },
  }
}

const NO_DECLARATIONS: readonly Declaration[] = []

/** Beyond all layers: a `style` attribute counts before them, in what is important, too (CSS Cascade 5, §6.1). */
const ATTRIBUTE_LAYER = Infinity

const ofAttribute = (declarations: readonly Declaration[]): Block => ({
  declarations,
  layer: ATTRIBUTE_LAYER,
})

const byWeight = (left: Candidate, right: Candidate): number =>
  left.layer - right.layer ||
  left.selector.specificity - right.selector.specificity ||
  left.order - right.order

/** Later declarations count, important ones before all others; of those, the ones of the first layer. */
function cascade(blocks: Blocks): Style {
  if (blocks.length === 0) return NO_STYLE
  const style: Style = {}
  const important = new Map<StyleProperty, number>()
  for (const { declarations, layer } of blocks) {
    for (const declaration of declarations) {
      const { property, value } = declaration
      const weightiest = important.get(property) ?? layer
      if (important.has(property) && !declaration.important) continue
      if (weightiest !== layer && layer !== ATTRIBUTE_LAYER) continue
      if (value === SOME_DISPLAY && style.display !== 'none') continue
      style[property] = value
      if (declaration.important) important.set(property, layer)
    }
  }
  return style
}
