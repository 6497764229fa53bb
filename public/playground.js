// What the playground gains when scripts run: results as they arrive, the request in the address, keys, and verdicts in
// place. The page works without it, and nothing is searched before somebody presses.
import { showArriving } from './playground/arriving.js'
import { forgetAsked, remember, showAsked } from './playground/asked.js'
import { showAround, showRejected, verify } from './playground/passages.js'
import { followForm, makeKey, noteLanguage, openLanguage } from './playground/samples.js'
import { announce, refuse, tell, UNANSWERED } from './playground/telling.js'

/** Answers of earlier searches that Back shows again. */
const ANSWERS_MAX = 20

/** What else stands in the form: secrets, and what is to be compared. */
const OTHER_FIELDS = new Set(['form_token', 'form_mark', 'sample_key', 'first_engine', 'second_engine'])

const playground = document.getElementById('playground')
const answers = new Map()
let searching = null

fillForm()
showAsked()
openLanguage()
// The code that the server sent knows nothing of what stands behind the #.
if (location.hash !== '') followForm()

playground.addEventListener('toggle', noteLanguage, true)

addEventListener('popstate', () => {
  searching?.abort()
  const answer = answers.get(history.state?.answer)
  if (answer !== undefined) return showPage(answer)
  document.getElementById('answer').closest('section').hidden = true
  fillForm()
})

playground.addEventListener('input', (event) => {
  if (event.target.id === 'threshold') return showRejected()
  if (!isOfRequest(event.target.name)) return
  writeAddress({ isDraft: true })
  followForm()
})

playground.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-around]')
  if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault()
    showAround(link).catch(() => tell(link.closest('.actions'), UNANSWERED))
  }
  if (event.target.closest('[data-forget]') !== null) {
    forgetAsked()
    announce('What was asked before is forgotten')
    askForm().querySelector('#query').focus()
  }
})

playground.addEventListener('submit', (event) => {
  const form = event.target
  const pressed = event.submitter
  if (pressed?.hasAttribute('formaction')) {
    // The comparison is a page of its own.
    if (!pressed.formAction.endsWith('/key')) return
    event.preventDefault()
    makeKey(form, pressed).catch(() => refuse(pressed, UNANSWERED))
  } else if (form.dataset.stream !== undefined) {
    event.preventDefault()
    if (searching !== null) return
    if (pressed?.name === 'try_depth') document.getElementById('search_depth').value = pressed.value
    void search(form)
  } else if (form.dataset.inline !== undefined) {
    event.preventDefault()
    verify(form).catch(() => refuse(pressed, UNANSWERED))
  }
})

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select') !== null
  if (event.key === 'Escape') searching?.abort()
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    askForm().requestSubmit()
  } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    const field = document.getElementById('query')
    // Not every browser moves the focus by itself to what is selected.
    field.focus()
    field.select()
  }
})

// The address holds the request: who skips to the content leaves it, and the answer, as they are.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault()
  document.getElementById('content').focus()
})

function askForm() {
  return playground.querySelector('form[data-stream]')
}

function isOfRequest(name) {
  return name !== '' && !OTHER_FIELDS.has(name)
}

/** The whole request, as the address holds it. */
function requestOf(form) {
  const fields = [...new FormData(form)].filter(([name, value]) => isOfRequest(name) && value !== '')
  return new URLSearchParams(fields).toString()
}

/** What is being typed has one entry of the history, and each search keeps its own. */
function writeAddress({ isDraft, answer }) {
  const address = `${location.pathname}#${requestOf(askForm())}`
  const isNew = isDraft && history.state?.isDraft === false
  history[isNew ? 'pushState' : 'replaceState']({ isDraft, answer }, '', address)
}

/** Fills the form from the address. An address of somebody else's spends nothing: it has to be sent by hand. */
function fillForm() {
  const fields = new URLSearchParams(location.hash.slice(1))
  if (!fields.has('query')) return
  for (const control of askForm().elements) {
    if (!isOfRequest(control.name) || control.type === 'hidden' || control.type === 'submit') continue
    const before = [control.value, control.checked].join()
    fillControl(control, fields)
    const isOption = control.closest('details') !== null
    if (isOption && before !== [control.value, control.checked].join()) control.closest('details').open = true
  }
}

function fillControl(control, fields) {
  const value = fields.get(control.name)
  if (control.type === 'checkbox') control.checked = fields.getAll(control.name).includes(control.value)
  else if (control.type === 'select-one') {
    const isOffered = [...control.options].some((option) => option.value === (value ?? ''))
    if (isOffered) control.value = value ?? ''
  } else if (value !== null || control.type !== 'number') control.value = value ?? ''
}

async function search(form) {
  const answer = `${Date.now()}`
  writeAddress({ isDraft: false, answer })
  remember(requestOf(form))
  document.getElementById('failure')?.remove()
  searching = new AbortController()
  const { signal } = searching
  showSearching(form, true)
  try {
    const html = await showArriving(form, { signal, stop: () => searching?.abort() })
    answers.set(answer, html)
    if (answers.size > ANSWERS_MAX) answers.delete(answers.keys().next().value)
    finish(html)
  } catch {
    // Searching again costs as much as the first time did, so a person decides on it. What has arrived stays.
    const why = signal.aborted
      ? 'The search was stopped. What had arrived is below.'
      : 'The connection broke before the search was over. What has arrived is below; search again for all of it.'
    if (form.isConnected) tell(form, why)
  } finally {
    searching = null
    if (form.isConnected) showSearching(form, false)
  }
}

function finish(html) {
  showPage(html)
  const answer = document.getElementById('answer')
  if (answer.closest('section').hidden) {
    const field = playground.querySelector('[aria-invalid]') ?? document.getElementById('query')
    field.focus()
  } else {
    announce(document.querySelector('#results > p')?.textContent ?? 'No results')
    answer.focus({ preventScroll: true })
  }
}

/** Shows what a search has made of the page; what is typed since stays. */
function showPage(html) {
  const folds = () => [...playground.querySelectorAll('.folds > details')]
  const opened = folds().map(({ open }) => open)
  playground.innerHTML = html
  fillForm()
  folds().forEach((fold, index) => (fold.open ||= opened[index]))
  showAsked()
  showRejected()
  openLanguage()
}

function showSearching(form, isSearching) {
  const button = form.querySelector('button[type=submit]')
  button.textContent = isSearching ? 'Searching…' : 'Search'
  // A button that is disabled would lose the focus.
  button.ariaDisabled = isSearching ? 'true' : null
}
