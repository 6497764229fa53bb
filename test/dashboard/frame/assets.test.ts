import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/config.ts'

const SCRIPT_BYTES_MAX = 60 * 1024

test('all scripts of the dashboard together are at most 60 KB', async () => {
  const folder = join(PACKAGE_ROOT, 'public')
  const scripts = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(join(folder, name))).size))
  expect(scripts.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BYTES_MAX)
})
