// What the pages gain when scripts run: copy buttons, and results of the playground as they arrive. Every page works
// without it.

showCopyButtons(document)

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-copy]')
  if (button !== null) void copy(button)
})

document.addEventListener('submit', (event) => {
  if (event.target.dataset.stream === undefined) return
  event.preventDefault()
  const form = event.target
  search(form).catch(() => tellBreak(form))
})

function showCopyButtons(root) {
  for (const button of root.querySelectorAll('button[data-copy]')) button.hidden = false
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  const content = [...button.childNodes]
  try {
    await navigator.clipboard.writeText(source.textContent)
    button.replaceChildren('Copied')
  } catch {
    // No clipboard outside a secure context: select the text, so that one keystroke copies it.
    getSelection().selectAllChildren(source)
    button.replaceChildren('Press Ctrl+C')
  }
  setTimeout(() => button.replaceChildren(...content), 2000)
}

/** Shows each result as its page is done, then the page as the server would have sent it. Rejects when the stream breaks. */
async function search(form) {
  const fields = new URLSearchParams(new FormData(form))
  document.getElementById('break')?.remove()
  showSearching(form, true)
  const results = document.getElementById('results')
  const list = document.createElement('ol')
  list.className = 'results'
  results.replaceChildren(list)
  results.closest('section').hidden = false
  const response = await fetch(form.dataset.stream, { method: 'POST', body: fields })
  // Refused before anything was searched: the page says why.
  if (!response.headers.get('content-type').startsWith('application/x-ndjson')) {
    form.submit()
    return
  }
  let page = null
  for await (const piece of piecesOf(response.body)) {
    if (piece.kind === 'result') list.insertAdjacentHTML('beforeend', piece.html)
    else page = piece.html
  }
  if (page === null) throw new Error('the stream broke off')
  const content = document.getElementById('playground')
  content.innerHTML = page
  showCopyButtons(content)
  const answer = document.getElementById('answer')
  if (answer.closest('section').hidden) content.querySelector('[aria-invalid]')?.focus()
  else answer.focus({ preventScroll: true })
}

function showSearching(form, isSearching) {
  const button = form.querySelector('button[type=submit]')
  button.textContent = isSearching ? 'Searching…' : 'Search'
  button.disabled = isSearching
}

/** Searching again costs as much as the first time did, so a person decides on it. What has arrived stays. */
function tellBreak(form) {
  const notice = document.createElement('div')
  notice.id = 'break'
  notice.className = 'notice notice-bad'
  notice.setAttribute('role', 'alert')
  const text = document.createElement('p')
  text.textContent =
    'The connection broke before the search was over. What has arrived is below; search again for all of it.'
  notice.append(text)
  form.before(notice)
  showSearching(form, false)
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
