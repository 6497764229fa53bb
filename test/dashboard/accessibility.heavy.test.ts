// The widths and the documentation that wait for the heavy tests, since axe looks at them for minutes.
import { describeAccessibility, QUICK_WIDTH, WIDTHS } from './every-page.ts'

await describeAccessibility({
  colours: ['light'],
  widths: WIDTHS.filter((width) => width !== QUICK_WIDTH),
  isDocumentationJudged: true,
})
