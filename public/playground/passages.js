// What is done with passages in their place: one is verified, or shown with what stands around it; the slider lists those
// that it would let pass.
import { announce, parsed, refusalOf, refuse, signInAgain, tell } from './telling.js'

/** Puts the verdict of the page that answers the form below it. Rejects when nothing answers. */
export async function verify(form) {
  const button = form.querySelector('button')
  button.disabled = true
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
  if (response.redirected) return signInAgain(response)
  const page = parsed(await response.text())
  const verdict = page.querySelector('.verdict')
  if (verdict === null) return refuse(button, refusalOf(page))
  form.closest('.snippet').append(verdict)
  announce(verdict.textContent)
  form.remove()
  // The button is gone; what it led to has the focus.
  verdict.focus()
}

/** Puts what stands around a passage around it. Rejects when nothing answers. */
export async function showAround(link) {
  const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
  if (response.redirected) return signInAgain(response)
  const page = parsed(await response.text())
  if (!response.ok) return tell(link.closest('.actions'), refusalOf(page))
  const quote = link.closest('.snippet').querySelector('blockquote')
  const [before, after] = ['before', 'after'].map((side) => page.querySelector(`.${side}`))
  quote.prepend(document.adoptNode(before), ' ')
  quote.append(' ', document.adoptNode(after))
  const isAlone = `${before.textContent}${after.textContent}` === ''
  announce(isAlone ? 'Nothing stands around it' : `Before: ${before.textContent} After: ${after.textContent}`)
  quote.tabIndex = -1
  quote.focus({ preventScroll: true })
  link.remove()
}

/** Lists the rejected passages that the threshold would let pass, and tells what it would do to those that were returned. */
export function showRejected() {
  const slider = document.getElementById('threshold')
  if (slider === null) return
  const threshold = slider.dataset.steps.split(' ')[slider.valueAsNumber]
  const passes = (score) => Number(score) >= Number(threshold)
  const list = document.getElementById('rejected')
  const items = [...list.children]
  for (const item of items) item.hidden = !passes(item.dataset.score)
  const shown = items.filter((item) => !item.hidden).length
  // An empty box is nothing to look at, nor to stop at.
  list.hidden = shown === 0
  document.getElementById('rejected-none').hidden = shown > 0
  const returned = slider.dataset.returned.split(' ').filter((score) => score !== '')
  const stay = `${returned.filter(passes).length} of ${returned.length} snippets stay`
  const pass = `${shown} of ${items.length} rejected would pass`
  slider.setAttribute('aria-valuetext', threshold)
  document.getElementById('threshold-told').textContent =
    `${threshold}: ${returned.length === 0 ? '' : `${stay}, `}${pass}`
}
