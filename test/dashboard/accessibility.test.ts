import { describeAccessibility, OUTER_WIDTHS } from './every-page.ts'

await describeAccessibility({ colours: ['light', 'dark'], widths: OUTER_WIDTHS })
