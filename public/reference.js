// Starts Swagger UI on our own OpenAPI document. The validator badge is off: it would tell a foreign site our address.

const dark = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement
const followScheme = () => {
  const { theme } = root.dataset
  root.classList.toggle('dark-mode', theme === 'system' ? dark.matches : theme === 'dark')
}
dark.addEventListener('change', followScheme)
new MutationObserver(followScheme).observe(root, { attributeFilter: ['data-theme'] })
followScheme()

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
})
