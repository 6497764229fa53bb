// The request as code beside the form: it follows what is typed, and a key can be made for it.
import { keep, remembered } from '../storage.js'
import { announce, parsed, refusalOf, refuse, signInAgain } from './telling.js'

/** The language that was chosen last; the documentation goes by it, too. */
const LANGUAGE = 'verbatim.language'
/** How long nothing must be typed before the code follows. */
const CODE_PAUSE_MS = 250

/** The code that is being fetched for the form. */
const following = { timer: 0, asked: null }

/** What is opened by hand is the language from now on; what the script opens is that already. */
export function noteLanguage({ target }) {
  if (target.open && target.closest('#samples') !== null) keep(LANGUAGE, target.dataset.language)
}

/** Shows the request as code as it is now, once nothing was typed for a moment; the language that is open stays open. */
export function followForm() {
  clearTimeout(following.timer)
  following.asked?.abort()
  following.timer = setTimeout(() => {
    following.asked = new AbortController()
    // Without an answer the code stays that of the last search, as without scripts.
    showCode(following.asked.signal).catch(() => undefined)
  }, CODE_PAUSE_MS)
}

async function showCode(signal) {
  const form = document.getElementById('ask')
  const body = new URLSearchParams(new FormData(form))
  const response = await fetch(form.dataset.code, { method: 'POST', body, signal })
  const html = await response.text()
  // A session that has ended leads elsewhere.
  if (response.ok && !response.redirected) putSamples(html)
}

function putSamples(html) {
  const samples = document.getElementById('samples')
  const open = samples.querySelector('details[open]')?.dataset.language
  samples.innerHTML = html
  for (const one of samples.querySelectorAll('details')) one.open = one.dataset.language === open
}

/** Opens the code in the language that was chosen last, where there is one. */
export function openLanguage() {
  const language = remembered(LANGUAGE)
  const samples = [...document.querySelectorAll('#samples details')]
  const chosen = samples.find((one) => one.dataset.language === language)
  if (chosen !== undefined) for (const one of samples) one.open = one === chosen
}

/** Puts the key that was made into the code; what is typed and what was found stays. Rejects when nothing answers. */
export async function makeKey(form, button) {
  button.disabled = true
  const body = new URLSearchParams(new FormData(form))
  const response = await fetch(button.formAction, { method: 'POST', body })
  if (response.redirected) return signInAgain(response)
  const page = parsed(await response.text())
  if (response.status !== 201) return refuse(button, refusalOf(page))
  putSamples(page.getElementById('samples').innerHTML)
  const told = document.adoptNode(page.getElementById('sample-key'))
  document.getElementById('sample-key').replaceWith(told)
  announce(told.querySelector('p').textContent)
  // The button is gone; the next one to press copies the code.
  document.querySelector('#samples details[open] [data-copy]')?.focus()
}
