// What was typed into a form that came back as expired: put into it again when its person is back at it. It stays in its
// tab, and only from the sending to the page that answers, unless that says that the form was not taken. What fields for
// passwords and files held is never kept.

const KEPT = 'verbatim.typed'
const UNKEPT = 'input:is([type=password], [type=file], [type=hidden]), [autocomplete=off]'

const placeOf = () => location.pathname + location.search
const personHere = () => document.body.dataset.person ?? null

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT))
  } catch {
    return null
  }
}

/** Where nothing may be kept, nothing is. */
function write(kept) {
  try {
    if (kept === null) sessionStorage.removeItem(KEPT)
    else sessionStorage.setItem(KEPT, JSON.stringify(kept))
  } catch {
    // As if it had not been asked to.
  }
}

const fieldsOf = (form) =>
  [...form.elements].filter((field) => field.name && !field.matches(UNKEPT) && !field.matches('button'))

/** Called when a form is sent. */
export function keepTyped(form) {
  // To sign in is no form of a page, but on the way back to one.
  if (form.method !== 'post' || form.querySelector('[type=password]') !== null) return
  const typed = fieldsOf(form).map(({ name, type, value, checked }) => ({ name, type, value, checked }))
  const { pathname: action } = new URL(form.action)
  write({ place: placeOf(), person: personHere(), action, typed, isRefused: false })
}

/** Called on every page. `isRefused` tells that it answers a form that was not taken. */
export function bringTypedBack(isRefused) {
  const kept = read()
  if (kept === null) return
  if (isRefused) write({ ...kept, isRefused: true })
  else if (!kept.isRefused || location.pathname !== '/sign-in') write(null)
  const isBack = kept.isRefused && kept.place === placeOf() && kept.person === personHere()
  if (isBack)
    for (const form of document.forms)
      if (new URL(form.action).pathname === kept.action) fill(form, kept.typed)
}

function fill(form, typed) {
  for (const field of fieldsOf(form)) {
    const isTick = field.type === 'checkbox' || field.type === 'radio'
    const known = typed.find(
      ({ name, type, value }) =>
        name === field.name && type === field.type && (!isTick || value === field.value),
    )
    if (known === undefined) continue
    if (isTick) field.checked = known.checked
    else field.value = known.value
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
