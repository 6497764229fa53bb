// What long pages gain when scripts run: where tables are cards their sections begin folded, and those that somebody
// opened are open again the next time.
import { keep, remembered } from './storage.js'

/** Each page remembers its own. */
const OPENED = `verbatim.opened${location.pathname}`

/** As in the style sheets: a phone, or a tablet held upright. */
const narrow = matchMedia('(max-width: 60rem)')
const sections = [...document.querySelectorAll('details[data-folding]')]

fold()
narrow.addEventListener('change', fold)
for (const section of sections) {
  section.addEventListener('toggle', rememberOpened)
  // Elsewhere their headings are headings alone.
  section.firstElementChild.addEventListener('click', (event) => {
    if (!narrow.matches) event.preventDefault()
  })
}

function fold() {
  const opened = JSON.parse(remembered(OPENED) ?? '[]')
  for (const section of sections) {
    section.open = !narrow.matches || opened.includes(section.dataset.folding)
    section.firstElementChild.tabIndex = narrow.matches ? 0 : -1
  }
}

function rememberOpened() {
  if (!narrow.matches) return
  const opened = sections.filter(({ open }) => open).map(({ dataset }) => dataset.folding)
  keep(OPENED, JSON.stringify(opened))
}
