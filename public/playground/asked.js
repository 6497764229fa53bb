// Questions that were asked before: this browser alone remembers them, and the list below the form offers them again.
import { keep, remembered } from '../storage.js'

/** Questions that this browser remembers. */
const ASKED_MAX = 20
const ASKED = 'verbatim.asked'

/** What was asked by who is signed in, newest first; nothing of anybody else. */
function askedBefore() {
  const { person, requests } = JSON.parse(remembered(ASKED) ?? '{}')
  return person === document.getElementById('asked').dataset.person ? requests : []
}

/** `request` as the address holds it. */
export function remember(request) {
  if (!new URLSearchParams(request).has('query')) return
  const requests = [request, ...askedBefore().filter((one) => one !== request)].slice(0, ASKED_MAX)
  keep(ASKED, JSON.stringify({ person: document.getElementById('asked').dataset.person, requests }))
}

export function showAsked() {
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

export function forgetAsked() {
  localStorage.removeItem(ASKED)
  showAsked()
}
