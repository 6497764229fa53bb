// The dark theme, at which axe looks for a minute.
import { describeAccessibility, OUTER_WIDTHS } from './every-page.ts'

await describeAccessibility({ colours: ['dark'], widths: OUTER_WIDTHS })
