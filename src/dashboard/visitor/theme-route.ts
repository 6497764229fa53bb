// POST /theme: keeps the colours a reader chose, and leads back to the page.
import type { DashboardParts } from '../context.ts'
import { readForm, textField } from '../frame/read-form.ts'
import { seeOther } from '../frame/respond.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { readTheme } from './theme.ts'
import { safePath } from './visitor.ts'

const YEAR_MS = 365 * 24 * 3_600_000

export function addThemeRoute(router: DashboardRouter, { cookies }: Pick<DashboardParts, 'cookies'>): void {
  router.post('/theme', readForm, (context: DashboardContext) => {
    const theme = readTheme(textField(context, 'theme'))
    if (theme === 'system') cookies.clear(context, 'theme')
    else cookies.set(context, 'theme', theme, new Date(Date.now() + YEAR_MS))
    seeOther(context, safePath(textField(context, 'back')))
  })
}
