// What every page gains when scripts run: buttons that copy, a theme that changes in place, and a key that searches the
// documentation. Every page works without it.
import { bringTypedBack, keepTyped } from './typed.js'

// What does something only while scripts run carries data-needs-script; the style sheet hides it until this is said.
document.documentElement.classList.add('scripted')

/** What buttons say otherwise, while they tell what was done. */
const telling = new Map()

// What a form has done is told once: the page that is loaded again, or kept as a bookmark, tells what is now.
const address = new URL(location.href)
const hasSessionEnded = address.searchParams.get('done') === 'session-over'
if (address.searchParams.has('done')) {
  address.searchParams.delete('done')
  history.replaceState(history.state, '', address)
}

bringTypedBack(hasSessionEnded || document.querySelector('[data-back-to-form]') !== null)

// A form that comes back refused begins at the first field that is wrong; what is wrong is read out with it.
document.querySelector('main [aria-invalid=true]')?.focus()

// A button that was hidden when the page began takes no focus by itself.
document.querySelector('main [data-needs-script][autofocus]')?.focus()

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-copy], button[data-copy-text]')
  if (button !== null) void copy(button)
})

document.addEventListener('submit', (event) => {
  // What was asked here is nobody else's business.
  if (event.target.matches('[action="/sign-out"]')) localStorage.removeItem('verbatim.asked')
  // A script of the page's own that takes the form says itself what it does.
  if (event.submitter?.dataset.busy !== undefined && !event.defaultPrevented) tellBusy(event)
  if (event.target.dataset.themeSwitch === undefined) {
    if (!event.defaultPrevented) keepTyped(event.target)
    return
  }
  event.preventDefault()
  chooseTheme(event.target, event.submitter)
})

/** Says on the button what takes a while, until the page that answers is there; pressed again it does nothing. */
function tellBusy(event) {
  const button = event.submitter
  if (button.ariaDisabled === 'true') {
    event.preventDefault()
    return
  }
  const label = [...button.childNodes]
  button.ariaDisabled = 'true'
  button.replaceChildren(button.dataset.busy)
  document.getElementById('announcement').textContent = button.dataset.busy
  // Gone back to, the page may be the one that was left.
  addEventListener(
    'pageshow',
    () => {
      button.ariaDisabled = null
      button.replaceChildren(...label)
    },
    { once: true },
  )
}

/** What is typed on the page stays, as it would not if the page were loaded anew. */
function chooseTheme(form, chosen) {
  document.documentElement.dataset.theme = chosen.value
  for (const button of form.querySelectorAll('button')) button.ariaPressed = String(button === chosen)
  const body = new URLSearchParams(new FormData(form, chosen))
  // Without an answer the theme holds for this page alone.
  fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined)
}

// Searches the documentation from wherever one is.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
  event.preventDefault()
  const field = document.getElementById('docs-search')
  if (field === null) return location.assign('/docs/search')
  // Not every browser moves the focus by itself to what is selected.
  field.focus()
  field.select()
})

async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  const isCopied = await writeClipboard(button.dataset.copyText ?? source.textContent)
  // Nothing could be written: select the text, so that one keystroke copies it.
  if (!isCopied && source !== null) getSelection().selectAllChildren(source)
  const told = isCopied ? 'Copied' : 'Press Ctrl+C'
  tellOn(button, told)
  document.getElementById('announcement').textContent = told
}

/** Says `told` on the button for a moment. It keeps its width, so that nothing else slips under the pointer. */
function tellOn(button, told) {
  const before = telling.get(button)
  clearTimeout(before?.timer)
  const label = before?.label ?? [...button.childNodes]
  button.style.minWidth = `${button.getBoundingClientRect().width}px`
  button.replaceChildren(told)
  const timer = setTimeout(() => {
    telling.delete(button)
    button.replaceChildren(...label)
    button.style.minWidth = ''
  }, 2000)
  telling.set(button, { label, timer })
}

/** Outside a secure context browsers have no clipboard but by the command of old. */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
