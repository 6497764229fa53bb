// Writes what is generated from the code: docs/openapi.json and the clients' types from the contract, the table of
// search engines and their variables from the engines, what becomes of foreign fields from their tables. With --check it
// only says which of them is stale (exit code 1).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../src/http/openapi.ts'
import { ROUTES } from '../src/http/route-table.ts'
import { compatibleFieldsPage } from './openapi/field-tables.ts'
import { withEngineTable, withEngineVariables } from './openapi/engine-table.ts'
import { pythonTypes } from './openapi/python-types.ts'
import { typeDeclarations, type JsonSchema } from './openapi/type-declarations.ts'

const ORIGIN = `What goes over the wire, generated from the service's OpenAPI document by "npm run openapi". Do not edit.`
const PYTHON_HEAD = `"""${ORIGIN}"""

from typing import Any, Literal, NotRequired, TypedDict


`

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const document = openApiDocument(ROUTES, version)
const {
  Health: _health,
  Ready: _ready,
  ...schemas
} = document.components.schemas as Record<string, JsonSchema>
const generated = {
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'packages/client/src/api.ts': `// ${ORIGIN}\n\n${typeDeclarations(schemas)}`,
  'packages/python/src/verbatim_client/api.py': `${PYTHON_HEAD}${pythonTypes(schemas)}`,
  'docs/compatible-fields.md': compatibleFieldsPage(),
  'docs/providers.md': await withEngineTable(readFileSync(join(root, 'docs', 'providers.md'), 'utf8')),
  'docs/configuration.md': withEngineVariables(readFileSync(join(root, 'docs', 'configuration.md'), 'utf8')),
}

for (const [path, text] of Object.entries(generated)) {
  const file = join(root, path)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
    console.log(`${path} is written`)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${path} is stale; run: npm run openapi`)
    process.exitCode = 1
  }
}
