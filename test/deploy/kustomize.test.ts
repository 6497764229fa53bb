// The kustomizations of deploy/, built by kubectl itself: what an operator's `kubectl apply -k` sends is valid.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findProgram, pathFolders } from '../support/programs.ts'
import { DEPLOY, judge, readManifests, type Manifest } from './manifests.ts'

const kubectl = findProgram('kubectl', pathFolders, 'kubernetes-client')

function build(folder: string): Manifest[] {
  const { stdout } = spawnSync(kubectl ?? '', ['kustomize', join(DEPLOY, folder)], { encoding: 'utf8' })
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}
const namesOf = (manifests: Manifest[]): string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()

describe.skipIf(kubectl === null)('kubectl', () => {
  test.each(['kubernetes', 'kubernetes-gpu', 'kubernetes-metrics'])(
    'builds %s: every manifest, each valid for the Kubernetes API',
    (folder) => {
      const manifests = build(folder)
      expect(namesOf(manifests)).toEqual(namesOf(readManifests('kubernetes')))
      for (const manifest of manifests) expect(judge(manifest)).toEqual([])
    },
  )

  test('lays the GPU and the metric of one’s own over what is there', () => {
    const find = (folder: string, kind: string): string =>
      JSON.stringify(build(folder).find((one) => one.kind === kind && one.metadata.name === 'verbatim')?.spec)
    expect(find('kubernetes-gpu', 'Deployment')).toContain('nvidia.com/gpu')
    expect(find('kubernetes', 'Deployment')).not.toContain('nvidia.com/gpu')
    expect(find('kubernetes-metrics', 'HorizontalPodAutoscaler')).toContain('"type":"Pods"')
    expect(find('kubernetes', 'HorizontalPodAutoscaler')).not.toContain('"type":"Pods"')
  })
})
