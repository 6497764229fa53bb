// What the library's pages gain when scripts run: what changes by itself is followed while somebody looks.

/** How long between two looks. */
const PAUSE_MS = 3_000
/** After so many looks that failed in a row nothing is asked any more. */
const FAILURES_MAX = 5

let failures = 0
if (liveParts().length > 0) setTimeout(follow, PAUSE_MS)

function liveParts() {
  return [...document.querySelectorAll('[data-live]')]
}

async function follow() {
  if (document.visibilityState === 'visible') await look().catch(() => (failures += 1))
  if (liveParts().length > 0 && failures < FAILURES_MAX) setTimeout(follow, PAUSE_MS)
}

async function look() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
  // A session that has ended leads elsewhere.
  if (!response.ok || response.redirected) throw new Error('the page is not there any more')
  failures = 0
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const part of liveParts()) replace(part, page)
}

/** What somebody's keys are in stays as it is until they have left it; what follows from its end is renewed with it. */
function replace(part, page) {
  const now = page.getElementById(part.id)
  if (now === null || part.contains(document.activeElement)) return
  part.replaceWith(document.adoptNode(now))
  if (now.dataset.live !== undefined) return
  for (const id of ['page-list', 'site-actions', 'not-read']) {
    const [old, renewed] = [document.getElementById(id), page.getElementById(id)]
    if (old !== null && renewed !== null) old.replaceWith(document.adoptNode(renewed))
  }
  // What was told of its beginning is over.
  document.querySelector('main .notice[role=status]')?.remove()
  document.getElementById('announcement').textContent = 'What was being read is read.'
}
