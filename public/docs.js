// What the documentation gains when scripts run: code in several languages becomes tabs, and the language that is chosen
// once is chosen everywhere from then on. Without scripts every language stands under its name.
import { keep, remembered } from './storage.js'

const REMEMBERED = 'verbatim.language'

const groups = [...document.querySelectorAll('.languages')].map(makeTabs)
choose(remembered(REMEMBERED), null)

/** A row of tabs over the panels, as the ARIA Authoring Practices describe them. */
function makeTabs(group, number) {
  const list = document.createElement('div')
  list.className = 'tabs'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = [...group.querySelectorAll('.language')].map((panel, index) => {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.id = `language-${number}-${index}`
    tab.textContent = panel.dataset.language
    tab.setAttribute('role', 'tab')
    panel.id = `${tab.id}-code`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', panel.id)
    tab.addEventListener('click', () => choose(panel.dataset.language, tab))
    return { tab, panel }
  })
  list.append(...tabs.map(({ tab }) => tab))
  list.addEventListener('keydown', (event) => turn(tabs, event))
  group.prepend(list)
  group.classList.add('tabbed')
  show(tabs, tabs[0])
  return tabs
}

/** The arrows go round; Home and End lead to the ends. */
function turn(tabs, event) {
  const from = tabs.findIndex(({ tab }) => tab === event.target)
  const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined || from === -1) return
  event.preventDefault()
  const { tab } = tabs.at(to % tabs.length)
  tab.focus()
  tab.click()
}

/** In every group that has the language. What is pressed stays where it is, whatever changes its height above it. */
function choose(language, pressed) {
  const before = pressed?.getBoundingClientRect().top
  for (const tabs of groups) {
    const chosen = tabs.find(({ panel }) => panel.dataset.language === language)
    if (chosen !== undefined) show(tabs, chosen)
  }
  if (pressed === null) return
  scrollBy({ top: pressed.getBoundingClientRect().top - before, behavior: 'instant' })
  keep(REMEMBERED, language)
}

function show(tabs, chosen) {
  for (const one of tabs) {
    one.panel.hidden = one !== chosen
    one.tab.setAttribute('aria-selected', String(one === chosen))
    one.tab.tabIndex = one === chosen ? 0 : -1
  }
}
