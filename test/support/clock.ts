// The clock of a process, as its system would set it: libfaketime moves what the process sees of the calendar and leaves
// the time since its start alone, which is what a step of NTP does.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, pathFolders } from './programs.ts'

const installed = findProgram('faketime', pathFolders, 'faketime') !== null
const library = installed ? findLibrary() : null

/** False when libfaketime is neither here nor installable: skip with `describe.skipIf(!hasClock)`. */
export const hasClock = library !== null

/** `environment` makes a process see this clock; `set` moves it, as "+2d" or "-3h", within a second. */
export function createClock() {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-clock-'))
  const file = join(folder, 'offset')
  const set = (offset: string): void => writeFileSync(file, offset)
  set('+0')
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function findLibrary(): string | null {
  const folders = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
  const paths = folders.map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'))
  return paths.find((path) => existsSync(path)) ?? null
}
