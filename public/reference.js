// Starts Swagger UI on our own OpenAPI document. The validator badge is off: it would tell a foreign site our address.

const dark = matchMedia('(prefers-color-scheme: dark)')
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followScheme)
followScheme()

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
})
