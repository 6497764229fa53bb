import { describe, expect, test } from 'vitest'
import { read } from '../fixtures.ts'

const ALTERNATIVE =
  '<annotation encoding="application/x-tex">E=mc^{2}</annotation><annotation-xml encoding="MathML-Content"><eq/><ci>E</ci></annotation-xml>'
const textOf = async (html: string): Promise<string> => (await read(`<p>${html}</p><p>after</p>`)).text

describe('a formula in MathML', () => {
  test('is text where it stands, as its tokens show it, without its alternatives for machines', async () => {
    const formula = `<math alttext="E=mc^{2}">
      <semantics>
        <mrow> <mi>E</mi> <mo>=</mo> <mi>m</mi> <mo>&#x2062;</mo> <msup><mi>c</mi><mn>2</mn></msup> </mrow>
        ${ALTERNATIVE}
      </semantics></math>`
    expect(await textOf(`Einstein wrote ${formula}, which is known to many.`)).toBe(
      'Einstein wrote E=mc2, which is known to many.\n\nafter',
    )
  })

  test('keeps apart what stands above and below one another, words, rows and cells', async () => {
    expect(await textOf('<math><mfrac><mn>22</mn><mn>7</mn></mfrac></math> is near π')).toContain(
      '22 7 is near π',
    )
    const cases =
      '<math><mi>f</mi><mo>=</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if</mtext><mi>x</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></math>'
    expect(await textOf(cases)).toContain('f= 1 if x 0 otherwise')
  })

  test('that is not to be seen is none, and an element that closes nothing disturbs nobody', async () => {
    expect(await textOf('a <math style="display:none"><mi>x</mi></math> b')).toBe('a b\n\nafter')
    expect(await textOf('a <math><mphantom><mi>x</mi></mphantom><mi>y</mi></mrow></math> b')).toBe(
      'a y b\n\nafter',
    )
  })
})

describe('a formula that is drawn, and told to readers of the screen in MathML', () => {
  const MATH = '<math><mi>a</mi><mo>≠</mo><mn>0</mn></math>'
  const CLIPPED = 'position:absolute;clip:rect(1px,1px,1px,1px);overflow:hidden;height:1px;width:1px'

  test.each([
    [
      'by MathJax, as a picture',
      `<mjx-container class="MathJax"><svg><path d="M0 0"/></svg><mjx-assistive-mml style="${CLIPPED}">${MATH}</mjx-assistive-mml></mjx-container>`,
    ],
    [
      'by MathJax, with glyphs from its style sheet',
      `<mjx-container class="MathJax"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c61"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml style="${CLIPPED}">${MATH}</mjx-assistive-mml></mjx-container>`,
    ],
    [
      'by MathJax 2, with text',
      `<span class="MathJax"><nobr aria-hidden="true"><span class="math">a≠0</span></nobr><span class="MJX_Assistive_MathML">${MATH}</span></span>`,
    ],
    [
      'by MediaWiki',
      `<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">${MATH}</span><img alt="a\\neq 0" aria-hidden="true"></span>`,
    ],
    [
      'by KaTeX, in the order of its glyphs',
      `<span class="katex"><span class="katex-mathml" style="${CLIPPED}">${MATH}</span><span class="katex-html" aria-hidden="true"><span class="base">0≠a</span></span></span>`,
    ],
  ])('%s, is read once', async (_, formula) => {
    expect(await textOf(`When ${formula}, it has two roots.`)).toBe('When a≠0, it has two roots.\n\nafter')
  })

  test('leaves the line of an item whole', async () => {
    const item = `<li>The <mjx-container><svg></svg><mjx-assistive-mml style="${CLIPPED}">${MATH}</mjx-assistive-mml></mjx-container> holds</li>`
    expect(await textOf(`</p><ul>${item}</ul><p>`)).toContain('The a≠0 holds')
  })

  test('is read as it is drawn where there is no MathML', async () => {
    const drawn = '<span class="katex"><span class="katex-html" aria-hidden="true">a≠0</span></span>'
    expect(await textOf(`When ${drawn}.`)).toContain('When a≠0.')
  })
})
