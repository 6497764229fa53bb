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
