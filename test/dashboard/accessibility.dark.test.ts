import { describeAccessibility, OUTER_WIDTHS } from './every-page.ts'

await describeAccessibility({ colours: ['dark'], widths: OUTER_WIDTHS })
