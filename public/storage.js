// What a browser remembers, where it may: with strict settings it keeps nothing, and says so by throwing.

/** What this browser keeps under `name`; null for nothing, and where nothing may be kept. */
export function remembered(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Where nothing may be kept, nothing is remembered. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text)
  } catch {
    // As if it had not been asked to.
  }
}
