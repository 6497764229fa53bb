import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeFigure, sizesOf } from '../../scripts/bench/setup-figures.ts'

const folder = mkdtempSync(join(tmpdir(), 'verbatim-figures-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the bench weighs the layers as the image holds them, without what it leaves out, and leaves the checkout whole', () => {
  const lock = {
    packages: {
      '': { dependencies: { native: '1', plain: '1' } },
      'node_modules/native': { hasInstallScript: true },
      'node_modules/plain': {},
    },
  }
  const files: Readonly<Record<string, string | Buffer>> = {
    'package-lock.json': JSON.stringify(lock),
    'node_modules/native/build/x.node': Buffer.alloc(2_000_000),
    'node_modules/plain/index.js': Buffer.alloc(3_000_000),
    'models/a.onnx': Buffer.alloc(4_000_000),
    'dist/main.js': Buffer.alloc(1_000_000),
    'dist/main.js.map': Buffer.alloc(9_000_000),
  }
  const checkout = join(folder, 'checkout')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    writeFileSync(join(checkout, path), content)
  }
  const sizes = Object.fromEntries(sizesOf(checkout, folder).map(({ what, value }) => [what, value]))
  expect(sizes).toMatchObject({
    'node_modules for running, with the bundler that builds': 5,
    'layer: packages outside of the bundle': 2,
    'layer: models': 4,
    'layer: the bundled service': 1,
  })
  expect(sizes['all that an edit of the source ships, compressed']).toBeLessThan(0.1)
  expect(existsSync(join(checkout, 'node_modules/plain/index.js'))).toBe(true)
})

test('a figure says whether its aim is met', () => {
  const figure = { what: 'a clone', value: 45.04, unit: 's' } as const
  expect(describeFigure({ ...figure, aim: 50 })).toBe('a clone: 45.0 s (aim: 50 s, met)')
  expect(describeFigure({ ...figure, aim: 45 })).toBe('a clone: 45.0 s (aim: 45 s, MISSED)')
  expect(describeFigure(figure)).toBe('a clone: 45.0 s')
})
