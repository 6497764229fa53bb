// The widths between, at which axe looks for minutes.
import { describeAccessibility, OUTER_WIDTHS, WIDTHS } from './every-page.ts'

await describeAccessibility({
  colours: ['light'],
  widths: WIDTHS.filter((width) => !OUTER_WIDTHS.includes(width)),
})
