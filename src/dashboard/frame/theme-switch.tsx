// The switch at the foot of every page between light, dark and what the system has.
import type { JSX } from 'preact'

/** What a reader may choose; the system's is the one nothing is chosen for. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
}

interface ThemeSwitchProperties {
  theme: Theme
  /** Path of the page that it stands on. */
  back: string
}

/** Needs no token against forgery: all that another site could do by it is change colours. */
export function ThemeSwitch({ theme: chosen, back }: ThemeSwitchProperties): JSX.Element {
  return (
    <form method="post" action="/theme" data-theme-switch>
      <input type="hidden" name="back" value={back} />
      <div class="themes" role="group" aria-label="Theme">
        {THEMES.map((theme) => (
          // With a space between them, as they are seen apart: who reads the page's text alone reads three words, too.
          <>
            <button type="submit" name="theme" value={theme} aria-pressed={chosen === theme}>
              {THEME_LABELS[theme]}
            </button>{' '}
          </>
        ))}
      </div>
    </form>
  )
}
