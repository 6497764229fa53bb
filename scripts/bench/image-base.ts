// An image like Node's own on Debian slim, for machines that reach Debian's and npm's packages and no registry of images:
// debootstrap's smallest root, without manuals, with Node and npm from their packages on npm in /usr/local.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The npm that comes with Node 22.22. */
const NPM = 'npm@10.9.4'
const NOT_IN_SLIM = ['doc', 'man', 'locale', 'info']
const OURS_TOO = ['/etc/apt/sources.list.d', '/usr/local/share/ca-certificates']

/** Makes the image `name`, as `…/node:VERSION-DISTRIBUTION-slim`, in `folder`. Needs root and debootstrap. */
export function makeImageBase(name: string, folder: string): void {
  const [, version = '', distribution = ''] = /:([\d.]+)-(\w+)-slim$/u.exec(name) ?? []
  console.log(`${name} cannot be pulled here; one like it is made by debootstrap`)
  const root = join(folder, 'root')
  mkdirSync(root, { recursive: true })
  const run = (program: string, words: readonly string[], cwd = folder): string =>
    execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', distribution, root])
  // Where this machine's packages come from, and whom it trusts.
  for (const path of OURS_TOO) if (existsSync(path)) cpSync(path, join(root, path), { recursive: true })
  run('chroot', [root, 'update-ca-certificates'])
  for (const share of NOT_IN_SLIM) rmSync(join(root, 'usr', 'share', share), { recursive: true, force: true })
  for (const path of ['var/cache/apt', 'var/lib/apt/lists'])
    for (const entry of readdirSync(join(root, path))) rmSync(join(root, path, entry), { recursive: true })
  writeFileSync(
    join(root, 'etc', 'dpkg', 'dpkg.cfg.d', 'slim'),
    NOT_IN_SLIM.map((share) => `path-exclude /usr/share/${share}/*\n`).join(''),
  )
  const unpack = (spec: string, to: string): void => {
    const packed = run('npm', ['pack', '--silent', spec])
    mkdirSync(to, { recursive: true })
    run('tar', ['-xzf', join(folder, packed), '-C', to, '--strip-components=1'])
  }
  const local = join(root, 'usr', 'local')
  unpack(`node-linux-${process.arch}@${version}`, local)
  unpack(NPM, join(local, 'lib', 'node_modules', 'npm'))
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'))
  commit(name, root)
}

function commit(name: string, root: string): void {
  const run = (...words: string[]): string => execFileSync('buildah', words, { encoding: 'utf8' }).trim()
  const container = run('from', 'scratch')
  run('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', container)
  run('copy', '-q', container, root, '/')
  run('commit', '-q', '--rm', container, name)
}
