// The results of a search as they arrive, below a line that tells how far it is.
import { signInAgain } from './telling.js'

/**
 * Shows each result as its page is done; returns the page as the server would have sent it. Rejects when the stream
 * breaks. `stop` is called when somebody presses the button that is to break it.
 */
export async function showArriving(form, { signal, stop }) {
  const fields = new URLSearchParams(new FormData(form))
  const progress = showProgress(stop)
  try {
    const response = await fetch(form.dataset.stream, { method: 'POST', body: fields, signal })
    if (response.redirected) {
      signInAgain(response)
      return document.getElementById('playground').innerHTML
    }
    // Refused before anything was searched: the page says why.
    if (!response.headers.get('content-type').startsWith('application/x-ndjson')) {
      form.submit()
      return document.getElementById('playground').innerHTML
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

/**
 * A line that tells how far the search is, with the button that stops it, over the list results go into. Who listens to
 * the page hears of each page, and is spared the time that runs.
 */
export function showProgress(stop, first = 'asking') {
  const startedAt = performance.now()
  const results = document.getElementById('results')
  const line = document.createElement('div')
  line.className = 'progress'
  line.innerHTML =
    '<p><span role="status"></span><span aria-hidden="true"></span></p>' +
    '<button type="button" class="button button-plain button-small">Stop</button>'
  const [told, seconds] = line.querySelectorAll('span')
  told.textContent = first
  line.querySelector('button').addEventListener('click', stop)
  const list = document.createElement('ol')
  list.className = 'results'
  results.replaceChildren(line, list)
  results.closest('section').hidden = false
  // Neither examples nor how an earlier answer was made stand below one that is on its way.
  for (const old of document.querySelectorAll('.examples, .explanation')) old.remove()
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
