// What the pages gain when scripts run: copy buttons and a busy state on slow forms. Every page works without it.

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy)
    const label = button.textContent
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = 'Copied'
    } catch {
      // No clipboard outside a secure context: select the text, so that one keystroke copies it.
      getSelection().selectAllChildren(source)
      button.textContent = 'Press Ctrl+C'
    }
    setTimeout(() => (button.textContent = label), 2000)
  })
}

for (const form of document.querySelectorAll('form[data-busy]')) {
  form.addEventListener('submit', () => {
    const button = form.querySelector('button[type=submit]')
    button.textContent = form.dataset.busy
    button.disabled = true
  })
}

// A page restored by the back button comes with its busy state: undo it.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
