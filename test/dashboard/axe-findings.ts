// What axe finds on a page that is open, as lines to read.
import axe from 'axe-core'
import type { Page } from 'playwright'

/** WCAG 2.2 AA and what is good practice beside it. */
export const ACCESSIBILITY_RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

export async function axeFindings(
  page: Page,
  options: axe.RunOptions = ACCESSIBILITY_RULES,
): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
}
