// The licences of what others wrote and the bundle holds: each asks that its text goes wherever its code goes.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './files.mjs'

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/iu

/**
 * @param {import('esbuild').Metafile} metafile
 * @returns {string} for each package its name, version, licence, and the files that hold the licence's words
 */
export function noticesOf({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(files.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))
  return [...folders]
    .toSorted()
    .map(noticeOf)
    .join(`\n${'='.repeat(100)}\n`)
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const texts = readdirSync(join(ROOT, folder))
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n') + '\n'
}
