// The light theme, at every width; axe looks at it for minutes.
import { describeAccessibility, WIDTHS } from './every-page.ts'

await describeAccessibility({ colours: ['light'], widths: WIDTHS })
