// The colours a reader chose: kept in a cookie, so that a page comes in them at once, with and without scripts.
import { THEMES, type Theme } from '../frame/theme-switch.tsx'

/** The theme that a cookie or a form names; the system's for anything else. */
export const readTheme = (text: string | undefined): Theme =>
  THEMES.find((theme) => theme === text) ?? 'system'
