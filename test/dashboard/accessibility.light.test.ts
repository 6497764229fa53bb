// One width, on which axe looks for half a minute; the others, and the documentation, are those of accessibility.heavy.test.ts.
import { describeAccessibility, QUICK_WIDTH } from './every-page.ts'

await describeAccessibility({ colours: ['light'], widths: [QUICK_WIDTH], isDocumentationJudged: false })
