// Reads Kubernetes manifests and judges them by the schemas of the Kubernetes API, unknown fields included.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'

export const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; [field: string]: unknown }
  // Manifests differ by kind; each test reads what it asserts.
  // oxlint-disable-next-line typescript/no-explicit-any
  spec?: any
  data?: Record<string, string>
}

export const readYaml = (path: string): unknown =>
  parse(readFileSync(join(DEPLOY, path), 'utf8'), { merge: true })

/** Every manifest of a kustomization, in order. */
export function readManifests(folder: string): Manifest[] {
  const { resources } = readYaml(`${folder}/kustomization.yaml`) as { resources: string[] }
  return resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(DEPLOY, folder, file), 'utf8')).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
      return document.toJS() as Manifest
    }),
  )
}

interface Model {
  validate(): void
}
const OUTERMOST: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'data',
  'automountServiceAccountToken',
])
const KINDS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
}

/**
 * What is wrong with a manifest: violations of its schema, and fields that the schema does not know. The schemas let
 * unknown fields pass, as old API servers did; but a validator never reads a field that it does not know, so a misspelled
 * one is one that nobody has read.
 */
export function judge(manifest: Manifest): string[] {
  const kinds = KINDS[manifest.apiVersion] as Record<string, { prototype: Model }> | undefined
  const Kind = kinds?.[manifest.kind]
  if (Kind === undefined) return [`${manifest.apiVersion} has no ${manifest.kind}`]
  const read = new Set<string>()
  const unknown = (): string[] => pathsOf(manifest, '').filter((path) => !read.has(path))
  try {
    // Not `new Kind(manifest)`: a constructor copies, and so reads, every field.
    const model: Model = Object.create(Kind.prototype)
    for (const [name, value] of Object.entries(manifest)) {
      if (OUTERMOST.has(name)) read.add(`/${name}`)
      Object.assign(model, { [name]: watch(value, `/${name}`, read) })
    }
    model.validate()
  } catch (error) {
    return [String(error)]
  }
  return unknown().map((path) => `${path} is no field of ${manifest.kind}`)
}

function watch<T>(value: T, path: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      const child: unknown = Reflect.get(target, key)
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return child
      read.add(`${path}/${key}`)
      return watch(child, `${path}/${key}`, read)
    },
  })
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    [`${path}/${key}`].concat(pathsOf(child, `${path}/${key}`)),
  )
}
