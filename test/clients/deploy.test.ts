// deploy/ by other people's schemas: the Kubernetes API's, as kubernetes-validate ships them, and Grafana's own types of a
// board. What kubeconform itself said stands in docs/decisions/14-image.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { DEPLOY, readManifests, readYaml, type Manifest } from '../deploy/manifests.ts'
import { findProgram, pathFolders } from '../support/programs.ts'
import { outputOf, pythonPath } from './client-service.ts'

const PROGRAM = join(import.meta.dirname, 'python', 'deploy.py')
const kubectl = findProgram('kubectl', pathFolders, 'kubernetes-client')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is wrong with `content`. */
async function faultsOf(kind: 'manifests' | 'board', content: unknown): Promise<readonly string[]> {
  const path = join(folder, `${kind}.json`)
  writeFileSync(path, JSON.stringify(content))
  const output = await outputOf(pythonPath(), [PROGRAM, kind, path], {})
  return (JSON.parse(output) as { faults: string[] }).faults
}

/** What `kubectl apply -k` sends. */
function built(overlay: string): Manifest[] {
  const { stdout } = spawnSync(kubectl ?? '', ['kustomize', join(DEPLOY, overlay)], { encoding: 'utf8' })
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

describe('the manifests', () => {
  const manifests = readManifests('kubernetes')

  test('are valid, strictly, for every version of Kubernetes from 1.25 to 1.37', async () => {
    expect(await faultsOf('manifests', manifests)).toEqual([])
  })

  test.skipIf(kubectl === null)(
    'are so with the overlays for GPUs and for a metric of their own',
    async () => {
      const overlaid = [...built('kubernetes-gpu'), ...built('kubernetes-metrics')]
      expect(overlaid).toHaveLength(2 * manifests.length)
      expect(await faultsOf('manifests', overlaid)).toEqual([])
    },
  )

  test('would be told to have a misspelled field', async () => {
    const deployment = manifests.find(({ kind }) => kind === 'Deployment')
    const wrong = { ...deployment, spec: { ...deployment?.spec, replicass: 2 } }
    expect((await faultsOf('manifests', [wrong])).join('\n')).toContain('replicass')
  })
})

describe('the board', () => {
  const board = readYaml(join('grafana', 'verbatim.json')) as { panels: object[] }

  test('holds nothing that Grafana does not know, and nothing that it reads otherwise', async () => {
    expect(await faultsOf('board', board)).toEqual([])
  })

  test('would be told to have a misspelled field', async () => {
    const [first, ...others] = board.panels
    const wrong = { ...board, panels: [{ ...first, titel: 'x' }, ...others] }
    expect(await faultsOf('board', wrong)).toEqual(['/panels/0/titel: unknown'])
  })
})
