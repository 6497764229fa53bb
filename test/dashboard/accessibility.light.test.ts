import { describeAccessibility, OUTER_WIDTHS } from './every-page.ts'

await describeAccessibility({ colours: ['light'], widths: OUTER_WIDTHS })
