// What the playground says: to who listens to the page, and above the form to everybody.

/** Says `text` to who listens to the page instead of looking at it. */
export function announce(text) {
  document.getElementById('announcement').textContent = text
}

/** Says above the form why there is no whole answer. */
export function tell(form, why) {
  const notice = document.createElement('div')
  Object.assign(notice, { id: 'break', className: 'notice notice-bad', role: 'alert', innerHTML: '<p></p>' })
  notice.firstChild.textContent = why
  form.before(notice)
}
