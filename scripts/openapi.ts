// Writes docs/openapi.json from the contract; with --check it only says whether the file is stale (exit code 1).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../src/http/openapi.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'docs', 'openapi.json')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const text = `${JSON.stringify(openApiDocument(version), null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log('docs/openapi.json is written')
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is stale; run: npm run openapi')
  process.exit(1)
}
