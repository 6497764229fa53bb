// What the playground says when something is done or is not: to who listens to the page, and above what was to do it to
// everybody.

export const UNANSWERED = 'The service did not answer, and nothing was done. Try again.'

/** Says `text` to who listens to the page instead of looking at it. */
export function announce(text) {
  document.getElementById('announcement').textContent = text
}

/** Says above `place` what did not work; what was said of another is gone. */
export function tell(place, why) {
  document.getElementById('failure')?.remove()
  const notice = document.createElement('div')
  Object.assign(notice, {
    id: 'failure',
    className: 'notice notice-bad',
    role: 'alert',
    innerHTML: '<p></p>',
  })
  notice.firstChild.textContent = why
  place.before(notice)
}

/** The button can be pressed again, with what it did not do above it. A button that is disabled loses the focus. */
export function refuse(button, why) {
  button.disabled = false
  if (document.activeElement === document.body) button.focus()
  tell(button.closest('.actions, p'), why)
}

export function parsed(html) {
  return new DOMParser().parseFromString(html, 'text/html')
}

/** Why nothing was done: the notice of a page, or what an error's page says below its title. */
export function refusalOf(page) {
  return page.querySelector('main .notice-bad p, main .page-head > p:not(.crumb)')?.textContent ?? UNANSWERED
}

/** The session is over: signing in leads back to the request as it stands in the address. */
export function signInAgain({ url }) {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('next', location.pathname + location.hash)
  location.assign(`${pathname}?${searchParams}`)
}
