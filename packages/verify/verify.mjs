#!/usr/bin/env node
// `verbatim-verify BUNDLE --keys FILE`: checks a bundle of Verbatim offline, and says what that proves and what it trusts.
// @ts-check
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BundleError, checkBundle, checkResult } from './check-bundle.mjs'

const USAGE = `verbatim-verify BUNDLE --keys FILE [--text FILE] [--capture FILE] [--without-text] [--json]

  BUNDLE          a bundle as JSON, or "-" for stdin; of an answer of /v1/search or /v1/read every snippet must be proven
  --keys FILE     the service's public keys, from /.well-known/verbatim-keys.json
  --text FILE     the text of the page, where it is kept beside the bundle
  --capture FILE  the page itself, where somebody kept it: compared with the digest of what was read
  --without-text  accept a bundle without the text: snippets are then the service's word alone
  --json          print what was found as JSON

Exit codes: 0 everything holds, 1 something does not, 2 wrong usage, 3 only the text is missing.`

/** @typedef {import('./check-bundle.mjs').Checked} Checked */

/** @param {string} path */
const readText = (path) => readFileSync(path === '-' ? 0 : path, 'utf8')

/** @param {string} path @returns {unknown} */
function readJson(path) {
  try {
    return JSON.parse(readText(path))
  } catch (error) {
    throw new BundleError(`${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * The bundle itself, or those of an answer's results, each checked with what the answer shows beside it.
 * @param {any} value @param {unknown} keys @param {import('./check-bundle.mjs').Kept} kept @returns {Checked[]}
 */
function checkAll(value, keys, kept) {
  if (!Array.isArray(value?.results)) return [checkBundle(value, keys, kept)]
  const unproven = value.results.findIndex(
    (/** @type {any} */ result) => !result?.bundle && (result?.snippets ?? []).length !== 0,
  )
  if (unproven !== -1)
    throw new BundleError(`Result ${unproven + 1} has snippets and no bundle: nothing proves them.`)
  const results = value.results.filter((/** @type {any} */ result) => result?.bundle)
  if (results.length === 0) throw new BundleError('No result of this answer has a bundle.')
  return results.map((/** @type {any} */ result) => {
    const checked = checkBundle(result.bundle, keys, kept)
    checkResult(result, checked)
    return checked
  })
}

/** What a page or a service wrote must not steer the terminal. @param {string} line */
const printable = (line) => line.replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')

/** @param {Checked} checked */
function describe({ statement, keyId, snippets, isTextChecked, isCaptureChecked }) {
  const { issuer, signed_at: signedAt, url, final_url: finalUrl, fetched_at: fetchedAt } = statement
  const { reader, capture, text } = statement
  const said = finalUrl === url ? url : `${url}, found at ${finalUrl}`
  return [
    `The signature holds: key ${keyId}`,
    `${issuer} says, on ${signedAt}:`,
    `  ${said}`,
    `  was fetched on ${fetchedAt}: ${capture.bytes} bytes, ${capture.media_type}, SHA-256 ${capture.sha256}`,
    `  and read by version ${reader} as a text of ${text.length} characters, SHA-256 ${text.sha256}`,
    ...snippets.flatMap((snippet, at) => {
      const { start, end } = statement.snippets[at] ?? { start: 0, end: 0 }
      return [`  in which stands at ${start}-${end}:`, ...snippet.split('\n').map((line) => `    | ${line}`)]
    }),
    isTextChecked
      ? 'The text is the one that was signed, and every snippet was cut out of it anew: they are the same.'
      : 'The text is not here: that the snippets stand in it is the word of the service.',
    ...(isCaptureChecked ? ['The page that was kept is what the text was read from.'] : []),
    'This trusts: that the key belongs to the service; that the service fetched what it says, when its clock says; and',
    `that its reader ${reader} took the text from the capture as it stands there, which is not done anew here.`,
  ]
    .map(printable)
    .join('\n')
}

function run() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      text: { type: 'string' },
      capture: { type: 'string' },
      'without-text': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const [path] = positionals
  if (path === undefined || values.keys === undefined || positionals.length > 1) throw new TypeError(USAGE)
  const kept = {
    ...(values.text === undefined ? {} : { text: readText(values.text) }),
    ...(values.capture === undefined ? {} : { capture: readFileSync(values.capture) }),
  }
  const keys = readJson(values.keys)
  const checked = checkAll(readJson(path), keys, kept)
  const printed = values.json ? JSON.stringify(checked, null, 2) : checked.map(describe).join('\n\n')
  process.stdout.write(`${printed}\n`)
  if (!values['without-text'] && checked.some(({ isTextChecked }) => !isTextChecked)) process.exitCode = 3
}

try {
  if (['-h', '--help'].includes(process.argv[2] ?? '')) process.stdout.write(`${USAGE}\n`)
  else run()
} catch (error) {
  const isUsage = error instanceof TypeError
  if (!isUsage && !(error instanceof BundleError) && !(error instanceof Error && 'code' in error)) throw error
  process.stderr.write(`${error instanceof BundleError ? 'Refused: ' : ''}${error.message}\n`)
  process.exitCode = isUsage ? 2 : 1
}
