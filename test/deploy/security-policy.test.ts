import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

test('every promise of SECURITY.md names tests that exist, and every test of an attack backs a promise', () => {
  const policy = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const linked = [...policy.matchAll(/\]\((test\/[^)]+)\)/gu)].map(([, path = '']) => path)
  expect(linked.length).toBeGreaterThan(20)
  expect(linked.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const attacks = readdirSync(join(ROOT, 'test', 'attack')).filter((name) => name.endsWith('.test.ts'))
  for (const name of attacks) expect(linked).toContain(`test/attack/${name}`)
})
