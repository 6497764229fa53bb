// The request between the form and the address behind its #, which holds all of it and nothing else: no secret, and no more
// than is needed to ask the same again.

/** What is to be compared stands in the address of a comparison alone. */
const COMPARED_FIELDS = ['first_engine', 'second_engine']
const OTHER_FIELDS = new Set(['form_token', 'form_mark', 'sample_key', ...COMPARED_FIELDS])

export function askForm() {
  return document.getElementById('ask')
}

export function isOfRequest(name) {
  return name !== '' && !OTHER_FIELDS.has(name)
}

/** The whole request, as the address holds it. */
export function requestOf(form) {
  const fields = [...new FormData(form)].filter(([name, value]) => isOfRequest(name) && value !== '')
  return new URLSearchParams(fields).toString()
}

/** What the button compares, as the address holds it. */
export function waysOf(form, { name, value }) {
  const engines =
    value === 'engines' ? COMPARED_FIELDS.map((field) => [field, form.elements[field].value]) : []
  return new URLSearchParams([[name, value], ...engines]).toString()
}

/**
 * What was typed as the query before there were scripts, on a slow line: it is newer than the address. Null when nothing
 * was, and when the browser has only put back what the address says.
 */
export function typedEarly() {
  const { value, defaultValue } = askForm().elements.query
  const asked = new URLSearchParams(location.hash.slice(1)).get('query')
  return value === defaultValue || value === asked ? null : value
}

/** Fills the form from the address. An address of somebody else's spends nothing: it has to be sent by hand. */
export function fillForm() {
  const fields = new URLSearchParams(location.hash.slice(1))
  if (!fields.has('query')) return
  for (const control of askForm().elements) {
    if (!isOfRequest(control.name) || control.type === 'hidden' || control.type === 'submit') continue
    const before = [control.value, control.checked].join()
    fillControl(control, fields)
    const isOption = control.closest('details') !== null
    if (isOption && before !== [control.value, control.checked].join()) control.closest('details').open = true
  }
  if (fields.has('by')) fillCompared(fields)
}

function fillControl(control, fields) {
  const value = fields.get(control.name)
  if (control.type === 'checkbox') control.checked = fields.getAll(control.name).includes(control.value)
  else if (control.type === 'select-one') {
    const isOffered = [...control.options].some((option) => option.value === (value ?? ''))
    if (isOffered) control.value = value ?? ''
  } else if (value !== null || control.type !== 'number') control.value = value ?? ''
}

/** What is chosen to be compared, to be put back into a form that a search has renewed. */
export function comparedChoice() {
  const { elements } = askForm()
  return new Map(COMPARED_FIELDS.map((name) => [name, elements[name]?.value]))
}

export function fillChoice(choice) {
  for (const name of COMPARED_FIELDS) {
    const select = askForm().elements[name]
    if (select !== undefined && choice.has(name)) fillControl(select, choice)
  }
}

/** A comparison is no more made by its address than a search is: its button is there to be pressed. */
function fillCompared(fields) {
  askForm().querySelector('button[name=by]').closest('details').open = true
  fillChoice(fields)
}
