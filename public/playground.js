// What the playground gains when scripts run: results as they arrive, the request in the address, keys, and verdicts in
// place. The page works without it, and nothing is searched before somebody presses.

/** Answers of earlier searches that Back shows again. */
const ANSWERS_MAX = 20
/** Questions that this browser remembers. */
const ASKED_MAX = 20
const ASKED = 'verbatim.asked'
/** The language that was chosen last; the documentation goes by it, too. */
const LANGUAGE = 'verbatim.language'
/** How long nothing must be typed before the code follows. */
const CODE_PAUSE_MS = 250

/** What else stands in the form: secrets, and what is to be compared. */
const OTHER_FIELDS = new Set(['form_token', 'form_mark', 'sample_key', 'first_engine', 'second_engine'])

const playground = document.getElementById('playground')
const answers = new Map()
let searching = null
/** The code that is being fetched for the form. */
const following = { timer: 0, asked: null }

fillForm()
showAsked()
openLanguage(remembered(LANGUAGE))
// The code that the server sent knows nothing of what stands behind the #.
if (location.hash !== '') followForm()

// What is opened by hand is remembered; what the script opens is that already.
playground.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.closest('#samples') !== null) keep(LANGUAGE, target.dataset.language)
  },
  true,
)

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
    showAround(link).catch(() => location.assign(link.href))
  }
  if (event.target.closest('[data-forget]') !== null) {
    localStorage.removeItem(ASKED)
    showAsked()
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
    makeKey(form, pressed).catch(() => (pressed.disabled = false))
  } else if (form.dataset.stream !== undefined) {
    event.preventDefault()
    if (searching !== null) return
    if (pressed?.name === 'try_depth') document.getElementById('search_depth').value = pressed.value
    void search(form)
  } else if (form.dataset.inline !== undefined) {
    event.preventDefault()
    verify(form).catch(() => form.submit())
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
    document.getElementById('query').select()
  }
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

/** Shows the request as code as it is now, once nothing was typed for a moment; the language that is open stays open. */
function followForm() {
  clearTimeout(following.timer)
  following.asked?.abort()
  following.timer = setTimeout(() => {
    following.asked = new AbortController()
    // Without an answer the code stays that of the last search, as without scripts.
    showCode(following.asked.signal).catch(() => undefined)
  }, CODE_PAUSE_MS)
}

async function showCode(signal) {
  const form = askForm()
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

/** Opens the code in this language, where there is one. */
function openLanguage(language) {
  const samples = [...document.querySelectorAll('#samples details')]
  const chosen = samples.find((one) => one.dataset.language === language)
  if (chosen !== undefined) for (const one of samples) one.open = one === chosen
}

/** Puts the key that was made into the code; what is typed and what was found stays. */
async function makeKey(form, button) {
  button.disabled = true
  const body = new URLSearchParams(new FormData(form))
  const response = await fetch(button.formAction, { method: 'POST', body })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (response.status !== 201) {
    button.disabled = false
    announce(page.querySelector('.notice p')?.textContent ?? 'No key was made')
    return
  }
  putSamples(page.getElementById('samples').innerHTML)
  const told = document.adoptNode(page.getElementById('sample-key'))
  document.getElementById('sample-key').replaceWith(told)
  announce(told.querySelector('p').textContent)
  // The button is gone; the next one to press copies the code.
  document.querySelector('#samples details[open] [data-copy]')?.focus()
}

async function search(form) {
  const answer = `${Date.now()}`
  writeAddress({ isDraft: false, answer })
  remember(form)
  document.getElementById('break')?.remove()
  searching = new AbortController()
  const { signal } = searching
  showSearching(form, true)
  try {
    const html = await showArriving(form, signal)
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

/** Shows each result as its page is done; returns the page as the server would have sent it. Rejects when the stream breaks. */
async function showArriving(form, signal) {
  const fields = new URLSearchParams(new FormData(form))
  const progress = showProgress()
  try {
    const response = await fetch(form.dataset.stream, { method: 'POST', body: fields, signal })
    // The session is over: signing in leads back to the request as it stands in the address.
    if (response.redirected) {
      const { pathname, searchParams } = new URL(response.url)
      searchParams.set('next', location.pathname + location.hash)
      location.assign(`${pathname}?${searchParams}`)
      return playground.innerHTML
    }
    // Refused before anything was searched: the page says why.
    if (!response.headers.get('content-type').startsWith('application/x-ndjson')) {
      form.submit()
      return playground.innerHTML
    }
    for await (const piece of piecesOf(response.body)) {
      if (piece.kind === 'page') return piece.html
      if (piece.kind === 'progress') progress.tell(piece)
      else progress.list.insertAdjacentHTML('beforeend', piece.html)
    }
  } finally {
    progress.stop()
  }
  throw new Error('the stream broke off')
}

function finish(html) {
  showPage(html)
  const answer = document.getElementById('answer')
  if (answer.closest('section').hidden) playground.querySelector('[aria-invalid]')?.focus()
  else {
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
  openLanguage(remembered(LANGUAGE))
}

/** Says `text` to who listens to the page instead of looking at it. */
function announce(text) {
  document.getElementById('announcement').textContent = text
}

/**
 * A line that tells how far the search is, with the button that stops it, over the list results go into. Who listens to
 * the page hears of each page, and is spared the time that runs.
 */
function showProgress() {
  const startedAt = performance.now()
  const results = document.getElementById('results')
  const line = document.createElement('div')
  line.className = 'progress'
  line.innerHTML =
    '<p><span role="status">asking</span><span aria-hidden="true"></span></p>' +
    '<button type="button" class="button button-plain button-small">Stop</button>'
  const [told, seconds] = line.querySelectorAll('span')
  line.querySelector('button').addEventListener('click', () => searching?.abort())
  const list = document.createElement('ol')
  list.className = 'results'
  results.replaceChildren(line, list)
  results.closest('section').hidden = false
  playground.querySelector('.examples')?.remove()
  const show = () => {
    seconds.textContent = ` · ${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  }
  show()
  const timer = setInterval(show, 100)
  return {
    list,
    tell({ engine, pages, done }) {
      const read = `${done} of ${pages} ${pages === 1 ? 'page' : 'pages'} read`
      told.textContent = `asked ${engine.split('+').join(' and ')} · ${read}`
    },
    stop() {
      clearInterval(timer)
      line.remove()
    },
  }
}

function showSearching(form, isSearching) {
  const button = form.querySelector('button[type=submit]')
  button.textContent = isSearching ? 'Searching…' : 'Search'
  // A button that is disabled would lose the focus.
  button.ariaDisabled = isSearching ? 'true' : null
}

function tell(form, why) {
  const notice = document.createElement('div')
  Object.assign(notice, { id: 'break', className: 'notice notice-bad', role: 'alert', innerHTML: '<p></p>' })
  notice.firstChild.textContent = why
  form.before(notice)
}

/** Puts the verdict of the page that answers the form below it. Rejects when there is none. */
async function verify(form) {
  const button = form.querySelector('button')
  button.disabled = true
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const verdict = page.querySelector('.verdict')
  if (verdict === null) {
    // Refused: the page says why.
    button.disabled = false
    announce(page.querySelector('main .page-head p').textContent)
    button.textContent = 'Not verified'
    return
  }
  form.closest('.snippet').append(verdict)
  announce(verdict.textContent)
  form.remove()
  // The button is gone; what it led to has the focus.
  verdict.focus()
}

/** Puts what stands around a passage around it. Rejects when that is not kept any more. */
async function showAround(link) {
  const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
  if (!response.ok || response.redirected) throw new Error('there is no context to show')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
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

/** Lists the rejected passages that the threshold would let pass. */
function showRejected() {
  const slider = document.getElementById('threshold')
  if (slider === null) return
  const items = [...document.querySelectorAll('#rejected li')]
  for (const item of items) item.hidden = Number(item.dataset.score) < slider.valueAsNumber
  const shown = items.filter((item) => !item.hidden).length
  const told = `${slider.valueAsNumber.toFixed(2)}: ${shown} of ${items.length} would pass`
  document.getElementById('threshold-told').textContent = told
}

/** What this browser keeps under `name`; null for nothing, and where nothing may be kept. */
function remembered(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function keep(name, text) {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Where nothing may be kept, nothing is remembered.
  }
}

/** What was asked by who is signed in, newest first; nothing of anybody else. */
function askedBefore() {
  const { person, requests } = JSON.parse(remembered(ASKED) ?? '{}')
  return person === document.getElementById('asked').dataset.person ? requests : []
}

function remember(form) {
  const request = requestOf(form)
  if (!new URLSearchParams(request).has('query')) return
  const requests = [request, ...askedBefore().filter((one) => one !== request)].slice(0, ASKED_MAX)
  keep(ASKED, JSON.stringify({ person: document.getElementById('asked').dataset.person, requests }))
}

function showAsked() {
  const asked = document.getElementById('asked')
  const links = askedBefore().map((request) => {
    const [href, textContent] = [`${location.pathname}#${request}`, new URLSearchParams(request).get('query')]
    const link = Object.assign(document.createElement('a'), { href, textContent })
    const item = document.createElement('li')
    item.append(link)
    return item
  })
  asked.querySelector('ol').replaceChildren(...links)
  asked.hidden = links.length === 0
}

/** The JSON values of a stream of lines. */
async function* piecesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    const lines = (pending + value).split('\n')
    pending = lines.pop()
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}
