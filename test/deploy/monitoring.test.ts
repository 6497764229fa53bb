// The alert rules and the dashboard in deploy/, checked against the metrics that the service really has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const readText = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
}
interface Dashboard {
  panels: { targets?: { expr: string }[] }[]
}

const alerts = (parse(readText('deploy', 'prometheus', 'alerts.yaml')) as Rules).groups.flatMap(
  ({ rules }) => rules,
)
const dashboard = JSON.parse(readText('deploy', 'grafana', 'verbatim.json')) as Dashboard
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

async function metricNames(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics()
  metrics.watchService({
    version: '1',
    describeLoad: () => ({
      searches: { running: 0, waiting: 0 },
      browser: { tabs: 0, busy: 0, waiting: 0, starts: 0 },
      reading: { waiting: 0 },
      scoring: { waiting: 0 },
      engines: [],
      caches: {},
      redisReady: null,
    }),
  })
  const types = [...(await metrics.render()).matchAll(/^# TYPE (\S+) (\S+)$/gmu)]
  const histograms = types.filter(([, , type]) => type === 'histogram')
  return new Set([...types.map(([, name]) => `${name}`), ...histograms.map(([, name]) => `${name}_bucket`)])
}

describe('what watches the service', () => {
  test('asks only for metrics that the service has', async () => {
    const known = await metricNames()
    const asked = expressions.flatMap((expr) => expr.match(/\b(?:verbatim|nodejs|process)_\w+/gu) ?? [])
    expect(asked.length).toBeGreaterThan(expressions.length / 2)
    expect(asked.filter((name) => !known.has(name))).toEqual([])
  })

  test('has a section in the runbook for every alert, and an alert for every such section', () => {
    const sections = [...readText('docs', 'runbook.md').matchAll(/^## (Verbatim\w+)$/gmu)].map(
      ([, name]) => name,
    )
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`/docs/runbook#${alert.toLowerCase()}`)
  })
})
