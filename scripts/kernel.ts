// `npm run kernel`: compiles src/score/static/static-kernel.wat into the TypeScript file that the service loads, so that
// neither building nor running needs a WebAssembly compiler. A test tells when that file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openWabt from 'wabt'

const folder = join(import.meta.dirname, '..', 'src', 'score', 'static')
const source = join(folder, 'static-kernel.wat')
const target = join(folder, 'static-kernel-bytes.ts')

const wabt = await openWabt()
const { buffer } = wabt.parseWat(source, readFileSync(source, 'utf8'), { simd: true }).toBinary({})
const lines =
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/gu) ?? []
writeFileSync(
  target,
  [
    '// static-kernel.wat as WebAssembly in base64, written by `npm run kernel`. Do not edit.',
    'export const STATIC_KERNEL =',
    lines.map((line) => `  '${line}'`).join(' +\n'),
    '',
  ].join('\n'),
)
console.log(`${target} is written: ${buffer.length} bytes of WebAssembly`)
