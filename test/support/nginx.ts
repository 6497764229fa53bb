// A real nginx in front of replicas, on a random loopback port, as the deployment page tells people to set it up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProgram, findProgram, freePort, pathFolders, startProgram, waitUntil } from './programs.ts'

const server = findProgram('nginx', () => [...pathFolders(), '/usr/sbin'], 'nginx-light')

/** False when nginx is neither here nor installable: skip with `describe.skipIf(!hasNginx)`. */
export const hasNginx = server !== null

/** Balances over the loopback `ports`. A search changes nothing, so one that was refused or cut off may be asked again. */
export async function startNginx(ports: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-nginx-'))
  const port = await freePort()
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  // Nobody is left out for a failure: a dead one refuses at once, and the next is asked.
  const replicas = ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`)
  const lines = [
    'daemon off;',
    `pid ${folder}/pid;`,
    'worker_processes 1;',
    'events { worker_connections 512; }',
    'http {',
    'access_log off;',
    ...kept,
    `upstream replicas { ${replicas.join(' ')} }`,
    `server { listen 127.0.0.1:${port};`,
    'location / {',
    'proxy_pass http://replicas;',
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    'proxy_connect_timeout 1s;',
    'proxy_next_upstream error timeout http_503 non_idempotent;',
    // Names who answered: of several that were tried, the last.
    'add_header Replica $upstream_addr;',
    '} } }',
  ]
  writeFileSync(join(folder, 'nginx.conf'), `${lines.join('\n')}\n`)
  const child = startProgram(server ?? 'nginx', [
    '-p',
    folder,
    '-e',
    join(folder, 'error.log'),
    '-c',
    join(folder, 'nginx.conf'),
  ])
  const url = `http://127.0.0.1:${port}`
  await waitUntil(async () => void (await fetch(`${url}/health`)))
  return {
    url,
    async stop() {
      await endProgram(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
