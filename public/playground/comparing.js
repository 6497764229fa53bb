// A comparison in place of the playground: a page of its own for the server, and an entry of the history here, so that
// Back and Forward come to it again.
import { showProgress } from './arriving.js'
import { parsed, refusalOf, signInAgain } from './telling.js'

/** The playground's title, while a comparison has its own. */
let ownTitle = null

/** Whether the button is to compare an engine with itself. */
export function isOneTwice({ elements }, { value }) {
  return value === 'engines' && elements.first_engine.value === elements.second_engine.value
}

/**
 * What the server answers to the comparison that `button` asks for: the `html` of its page, or the playground that tells
 * what is `refused`, or else `why` there is none. Null when the session is over. Rejects when nothing answers.
 */
export async function askComparison(form, button, { signal, stop }) {
  const body = new URLSearchParams(new FormData(form, button))
  const progress = showProgress(stop, 'asking one after the other')
  try {
    const response = await fetch(button.formAction, { method: 'POST', body, signal })
    if (response.redirected) {
      signInAgain(response)
      return null
    }
    const html = await response.text()
    if (response.ok) return { html }
    const page = parsed(html)
    return { refused: page.getElementById('playground')?.innerHTML, why: refusalOf(page) }
  } finally {
    progress.stop()
  }
}

/** Shows a comparison where the playground stands. `onDepth` hears of a depth at which it is to be searched. */
export function showComparison(html, onDepth) {
  const page = parsed(html)
  const comparison = document.createElement('div')
  comparison.id = 'comparison'
  comparison.append(...page.querySelector('#content > .frame').children)
  const frame = document.querySelector('#content > .frame')
  for (const own of frame.children) own.hidden = true
  frame.append(comparison)
  ownTitle = document.title
  document.title = page.title
  comparison.addEventListener('submit', (event) => {
    event.preventDefault()
    onDepth(new FormData(event.target).get('search_depth'))
  })
  const title = comparison.querySelector('h1')
  title.tabIndex = -1
  title.focus({ preventScroll: true })
  scrollTo(0, 0)
}

/** The playground is there again; false when it was not away. */
export function hideComparison() {
  const comparison = document.getElementById('comparison')
  if (comparison === null) return false
  comparison.remove()
  for (const own of document.querySelector('#content > .frame').children) own.hidden = false
  document.title = ownTitle
  return true
}
