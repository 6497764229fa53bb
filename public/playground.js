// What the playground gains when scripts run: results as they arrive, the request in the address, keys, and verdicts in
// place. The page works without it, and nothing is searched before somebody presses.
import { showArriving } from './playground/arriving.js'
import { forgetAsked, remember, showAsked } from './playground/asked.js'
import { askComparison, hideComparison, isOneTwice, showComparison } from './playground/comparing.js'
import { showAround, showRejected, verify } from './playground/passages.js'
import {
  askForm,
  comparedChoice,
  fillChoice,
  fillForm,
  isOfRequest,
  requestOf,
  typedEarly,
  waysOf,
} from './playground/request.js'
import { followForm, makeKey, noteLanguage, openLanguage } from './playground/samples.js'
import { announce, refuse, tell, UNANSWERED } from './playground/telling.js'

/** Answers of earlier searches, and comparisons, that Back and Forward show again. */
const ANSWERS_MAX = 20

const playground = document.getElementById('playground')
const answers = new Map()
let searching = null

const typed = typedEarly()
fillForm()
if (typed !== null) {
  askForm().elements.query.value = typed
  writeAddress({ isDraft: true })
}
showAsked()
openLanguage()
// The code that the server sent knows nothing of what stands behind the #.
if (location.hash !== '') followForm()

playground.addEventListener('toggle', noteLanguage, true)

addEventListener('popstate', () => {
  searching?.abort()
  showEntry()
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
    event.preventDefault()
    if (pressed.formAction.endsWith('/key')) makeKey(form, pressed).catch(() => refuse(pressed, UNANSWERED))
    else if (searching === null) void compare(form, pressed)
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

/** What is being typed has one entry of the history, and each other request that is sent keeps its own. */
function writeAddress({ isDraft, answer, compared = '' }) {
  const request = `#${requestOf(askForm())}${compared === '' ? '' : `&${compared}`}`
  const address = location.pathname + request
  const isNew =
    compared !== '' || (history.state?.isDraft === false && (isDraft || request !== location.hash))
  history[isNew ? 'pushState' : 'replaceState']({ isDraft, answer }, '', address)
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
    keepAnswer(answer, { html, isComparison: false })
    finish(html)
  } catch {
    // Searching again costs as much as the first time did, so a person decides on it. What has arrived stays.
    if (form.isConnected) tell(form, endedEarly(signal.aborted))
    keepFocus()
  } finally {
    searching = null
    if (form.isConnected) showSearching(form, false)
  }
}

/** Costs several searches, which a person has asked for by name; what comes of them is kept as an answer is. */
async function compare(form, pressed) {
  if (isOneTwice(form, pressed)) return refuse(pressed, 'Choose two different search engines.')
  document.getElementById('failure')?.remove()
  searching = new AbortController()
  const { signal } = searching
  const showIdle = showComparing(pressed)
  try {
    const compared = await askComparison(form, pressed, { signal, stop: () => searching?.abort() })
    if (compared?.html !== undefined) {
      const answer = `${Date.now()}`
      writeAddress({ isDraft: false, answer, compared: waysOf(form, pressed) })
      keepAnswer(answer, { html: compared.html, isComparison: true })
      showEntry()
    } else if (compared?.refused !== undefined) finish(compared.refused)
    else if (compared !== null) failComparing(compared.why)
  } catch {
    failComparing(signal.aborted ? 'The comparison was stopped.' : UNANSWERED)
  } finally {
    searching = null
    showIdle()
  }
}

/** Says why nothing is compared, over what was there before. */
function failComparing(why) {
  if (document.getElementById('comparison') === null) showEntry()
  tell(askForm(), why)
  keepFocus()
}

/** Why a search has no end, and what there is of it; where nothing is, there is no heading above it either. */
function endedEarly(isStopped) {
  const hasArrived = document.querySelector('#results .result') !== null
  document.getElementById('answer').closest('section').hidden = !hasArrived
  if (isStopped)
    return `The search was stopped. ${hasArrived ? 'What had arrived is below.' : 'Nothing had arrived.'}`
  const rest = hasArrived
    ? 'What has arrived is below; search again for all of it.'
    : 'Nothing has arrived; search again.'
  return `The connection broke before the search was over. ${rest}`
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
  const choice = comparedChoice()
  playground.innerHTML = html
  fillChoice(choice)
  fillForm()
  folds().forEach((fold, index) => (fold.open ||= opened[index]))
  showAsked()
  showRejected()
  openLanguage()
}

/** Shows what the entry of the history holds that one has come to: an answer, a comparison, or a request alone. */
function showEntry() {
  const answer = answers.get(history.state?.answer)
  const wasAway = hideComparison()
  if (answer !== undefined && !answer.isComparison) showPage(answer.html)
  else {
    document.getElementById('answer').closest('section').hidden = true
    fillForm()
  }
  if (answer?.isComparison) showComparison(answer.html, searchAtDepth)
  else if (wasAway) document.getElementById('content').focus({ preventScroll: true })
}

function searchAtDepth(depth) {
  hideComparison()
  document.getElementById('search_depth').value = depth
  void search(askForm())
}

function keepAnswer(name, answer) {
  answers.set(name, answer)
  if (answers.size > ANSWERS_MAX) answers.delete(answers.keys().next().value)
}

/** The button that stops is gone once it has; the next one to press is the one that begins. */
function keepFocus() {
  if (document.activeElement === document.body) askForm().querySelector('button[type=submit]').focus()
}

/** Returns what gives the button its words back. */
function showComparing(button) {
  const label = button.textContent
  button.textContent = button.dataset.busy
  button.ariaDisabled = 'true'
  announce(button.dataset.busy)
  return () => {
    button.textContent = label
    button.ariaDisabled = null
  }
}

function showSearching(form, isSearching) {
  const button = form.querySelector('button[type=submit]')
  button.textContent = isSearching ? 'Searching…' : 'Search'
  // A button that is disabled would lose the focus.
  button.ariaDisabled = isSearching ? 'true' : null
}
