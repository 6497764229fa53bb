import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commandLine, invocationOf, prefetchLine } from '../src/invocation.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-invocation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with the scripts of a checkout, of a package as package.json lists its files, or of the image. */
function makeRoot(scripts: readonly string[]): string {
  const root = mkdtempSync(join(folder, 'root-'))
  mkdirSync(join(root, 'scripts'))
  for (const name of scripts) writeFileSync(join(root, 'scripts', name), '')
  return root
}

const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
const checkout = invocationOf({ root: makeRoot(readdirSync(join(ROOT, 'scripts'))), env: {} })
const root = makeRoot(files.flatMap((path) => /^scripts\/(.+)$/u.exec(path)?.[1] ?? []))
const packed = invocationOf({ root, env: {} })
const npx = invocationOf({ root, env: { npm_command: 'exec' } })
const image = invocationOf({ root: makeRoot([]), env: {} })

describe('a command that mends something is told as whoever started the program types it', () => {
  test('in a checkout by the scripts of npm', () => {
    expect(commandLine('index add URL', checkout)).toBe('npm run -s verbatim -- index add URL')
    expect(commandLine('models verify', checkout)).toBe('npm run models -- verify')
    expect(prefetchLine(['precise', 'balanced'], checkout)).toBe(
      'npm run models -- prefetch precise balanced',
    )
    expect(prefetchLine([], checkout)).toBe('npm run models -- prefetch')
  })

  test('in an installed package by its program, or by npx where that started it', () => {
    expect(commandLine('index add URL', packed)).toBe('verbatim index add URL')
    expect(prefetchLine(['precise'], packed)).toBe('verbatim models prefetch precise')
    expect(commandLine('doctor', npx)).toBe('npx verbatim doctor')
  })

  test('in a container by what runs in it, and models by building the image that holds them', () => {
    expect(commandLine('doctor', image)).toBe('docker exec CONTAINER node dist/main.js doctor')
    expect(prefetchLine(['multilingual'], image)).toBe('docker build --build-arg MODELS="multilingual" .')
  })
})

test('no message of the service names a script of npm by itself', () => {
  const texts = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/u.test(path) && path !== 'invocation.ts')
    .map((path) => [
      path,
      readFileSync(join(ROOT, 'src', path), 'utf8').replaceAll(/^ *(?:\/\/|\/?\*).*$/gmu, ''),
    ])
  expect(
    texts.filter(([, text]) => /npm (?:run|start|test)/u.test(text ?? '')).map(([path]) => path),
  ).toEqual([])
})
