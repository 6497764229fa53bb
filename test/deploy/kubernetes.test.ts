import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { settingNames } from '../support/settings.ts'
import { specialRange } from '../../src/pages/egress/ip-address.ts'
import { DEPLOY, judge, readManifests, readYaml, type Manifest } from './manifests.ts'

const manifests = readManifests('kubernetes')
const find = (kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}
const deployments = manifests.filter(({ kind }) => kind === 'Deployment')

describe('every manifest', () => {
  test.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    '%s is valid for the Kubernetes API and holds no field it does not know',
    (_, manifest) => {
      expect(judge(manifest)).toEqual([])
    },
  )

  test.each([
    ['a wrong type', { replicas: 'two' }],
    ['a misspelled field', { replicass: 2 }],
    ['a misspelled probe', { template: { spec: { containers: [{ name: 'a', readinesProbe: {} }] } } }],
    ['a missing selector', { selector: undefined }],
  ])('with %s would not pass', (_, change) => {
    const deployment = find('Deployment', 'verbatim')
    expect(judge({ ...deployment, spec: { ...deployment.spec, ...change } })).not.toEqual([])
  })
})

describe('every pod', () => {
  test.each(deployments.map((one) => [one.metadata.name, one.spec.template.spec] as const))(
    '%s runs as an ordinary user, without privileges, on a read-only root, within memory limits, under probes',
    (_, pod) => {
      expect(pod.securityContext.runAsNonRoot).toBe(true)
      expect(pod.securityContext.runAsUser).toBeGreaterThan(0)
      expect(pod.automountServiceAccountToken).toBe(false)
      expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC).toBeUndefined()
      expect(['RuntimeDefault', 'Localhost']).toContain(pod.securityContext.seccompProfile.type)
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/u)
        expect(container.readinessProbe).toBeDefined()
        expect(container.livenessProbe).toBeDefined()
      }
    },
  )

  test('runs an image of one version, and not of whatever is latest', () => {
    for (const { spec } of deployments)
      for (const { image } of spec.template.spec.containers) expect(image).toMatch(/:\d+\.\d+\.\d+[\w.-]*$/u)
  })

  test('is reached by its service, guarded by a policy, and found by autoscaler and disruption budget', () => {
    for (const { metadata, spec } of deployments) {
      const labels = spec.template.metadata.labels
      expect(spec.selector.matchLabels).toEqual(labels)
      expect(find('Service', metadata.name).spec.selector).toEqual(labels)
      expect(find('NetworkPolicy', metadata.name).spec.podSelector.matchLabels).toEqual(labels)
    }
    const labels = find('Deployment', 'verbatim').spec.template.metadata.labels
    expect(find('PodDisruptionBudget', 'verbatim').spec.selector.matchLabels).toEqual(labels)
    const scaler = find('HorizontalPodAutoscaler', 'verbatim').spec
    expect(find('PodDisruptionBudget', 'verbatim').spec.minAvailable).toBeLessThan(scaler.minReplicas)
  })
})

describe('the service', () => {
  const pod = find('Deployment', 'verbatim').spec.template.spec
  const [container] = pod.containers

  test('is told nothing that it does not understand', () => {
    const settings = {
      ...find('ConfigMap', 'verbatim').data,
      DATABASE_URL: 'postgres://u:p@postgres:5432/verbatim',
    }
    expect(() => loadConfig(settings)).not.toThrow()
    for (const name of Object.keys(settings)) expect(settingNames()).toContain(name)
  })

  test('has longer to end than it grants itself, and runs as the user of its image', () => {
    const serve = readFileSync(join(DEPLOY, '..', 'src', 'commands', 'serve.ts'), 'utf8')
    const limitMs = Number(/SHUTDOWN_LIMIT_MS = ([\d_]+)/u.exec(serve)?.[1]?.replaceAll('_', ''))
    const [program, , script] = container.lifecycle.preStop.exec.command
    const pause = Number(/\d+/u.exec(script)?.[0]) / 1000
    expect(program).toBe('node')
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(limitMs / 1_000 + pause)
    const image = readFileSync(join(DEPLOY, '..', 'Dockerfile'), 'utf8')
    expect(image).toContain(`--uid ${pod.securityContext.runAsUser}`)
    expect(image).toContain(`PORT=${container.ports[0].containerPort}`)
  })

  test('is scaled by the processor alone, and with an adapter by a metric that it exposes besides', () => {
    const scaler = find('HorizontalPodAutoscaler', 'verbatim')
    expect(scaler.spec.metrics.map(({ type }: { type: string }) => type)).toEqual(['Resource'])
    const overlay = readYaml('kubernetes-metrics/scaling.yaml') as Manifest
    expect(judge({ ...scaler, spec: { ...scaler.spec, ...overlay.spec } })).toEqual([])
    const { pods } = overlay.spec.metrics.find(({ type }: { type: string }) => type === 'Pods')
    const source = readFileSync(join(DEPLOY, '..', 'src', 'telemetry', 'metrics.ts'), 'utf8')
    expect(source).toContain(`'${pods.metric.name}'`)
  })

  test('gets requests when it is ready, is restarted when it is dead, and waits for neither to start', () => {
    const paths = [container.readinessProbe, container.livenessProbe, container.startupProbe].map(
      (probe) => probe.httpGet.path,
    )
    expect(paths).toEqual(['/ready', '/health', '/health'])
  })

  test('sees no secret but its own', () => {
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'verbatim' } },
      { secretRef: { name: 'verbatim' } },
    ])
    const others = deployments.filter(({ metadata }) => metadata.name !== 'verbatim')
    expect(JSON.stringify(others)).not.toContain('"secretRef"')
    expect(JSON.stringify(others)).toContain('"secretKeyRef":{"name":"searxng","key":"secret"}')
  })

  test('keeps Chromium’s sandbox: its seccomp profile lets user namespaces be made and refuses what harms the node', () => {
    expect(pod.securityContext.seccompProfile).toEqual({
      type: 'Localhost',
      localhostProfile: 'profiles/verbatim.json',
    })
    const profile = readYaml('seccomp.json') as {
      defaultAction: string
      syscalls: { names: string[]; action: string }[]
    }
    const refused = profile.syscalls
      .filter(({ action }) => action === 'SCMP_ACT_ERRNO')
      .flatMap(({ names }) => names)
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW')
    for (const name of ['clone', 'clone3', 'unshare', 'setns', 'chroot']) expect(refused).not.toContain(name)
    expect(refused).toEqual(
      expect.arrayContaining(['mount', 'bpf', 'kexec_load', 'init_module', 'open_by_handle_at', 'keyctl']),
    )
  })
})

describe('the network', () => {
  const { egress } = find('NetworkPolicy', 'verbatim').spec as {
    egress: { to: { ipBlock?: { cidr: string; except: string[] } }[]; ports: { port: number }[] }[]
  }
  const blocks = egress.flatMap(({ to }) =>
    to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])),
  )
  const isOpen = (address: string): boolean => {
    const parsed = ipaddr.parse(address)
    const isIn = (cidr: string): boolean => {
      const range = ipaddr.parseCIDR(cidr)
      return range[0].kind() === parsed.kind() && parsed.match(range)
    }
    return blocks.some(({ cidr, except }) => isIn(cidr) && !except.some(isIn))
  }

  test('is shut unless a policy opens it', () => {
    expect(find('NetworkPolicy', 'default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    })
    expect(find('NetworkPolicy', 'cache').spec.egress).toBeUndefined()
  })

  test.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
    '::1',
    '::ffff:10.0.0.1',
    '2002:a00:1::1',
  ])('of the service does not reach %s, which its own policy refuses, too', (address) => {
    expect(isOpen(address)).toBe(false)
    expect(specialRange(address)).not.toBeNull()
  })

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('of the service reaches %s', (address) => {
    expect(isOpen(address)).toBe(true)
    expect(specialRange(address)).toBeNull()
  })
})

describe('the search engine', () => {
  test('has the same settings as in compose, with JSON switched on', () => {
    const settings = readFileSync(join(DEPLOY, 'searxng', 'settings.yml'), 'utf8')
    expect(find('ConfigMap', 'searxng').data?.['settings.yml']).toBe(settings)
    expect(readYaml('searxng/settings.yml')).toMatchObject({
      search: { formats: expect.arrayContaining(['json']) },
    })
  })
})

describe('the GPU variant', () => {
  test('changes a deployment and a container that exist, into something valid', () => {
    const { resources, patches } = readYaml('kubernetes-gpu/kustomization.yaml') as {
      resources: string[]
      patches: { path: string }[]
    }
    expect(resources).toEqual(['../kubernetes'])
    const patch = readYaml(`kubernetes-gpu/${patches[0]?.path}`) as Manifest
    const base = find(patch.kind, patch.metadata.name)
    const patched = patch.spec.template.spec
    const merged = structuredClone(base)
    merged.spec.strategy = patch.spec.strategy
    Object.assign(merged.spec.template.spec, { tolerations: patched.tolerations })
    const container = merged.spec.template.spec.containers[0]
    expect(patched.containers[0].name).toBe(container.name)
    expect(patches.map(({ path }) => path)).toEqual(['gpu.yaml', 'scaling.yaml'])
    container.env.push(...patched.containers[0].env)
    Object.assign(container.resources.limits, patched.containers[0].resources.limits)
    expect(judge(merged)).toEqual([])
    expect(container.env).toContainEqual({ name: 'EMBEDDING_DEVICE', value: 'cuda' })
  })
})
