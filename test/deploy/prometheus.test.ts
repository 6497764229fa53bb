// deploy/prometheus and the expressions of deploy/grafana, read by Prometheus' own tool; every alert is made to fire, and
// made not to, by it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findProgram, pathFolders } from '../support/programs.ts'
import { DEPLOY, readYaml } from './manifests.ts'

const promtool = findProgram('promtool', pathFolders, 'prometheus')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-prometheus-'))
afterAll(() => rmSync(folder, { recursive: true }))

const RULES = join(DEPLOY, 'prometheus', 'alerts.yaml')
/** Each series has a value every minute, this many times. */
const MINUTES = 75

/** JSON is YAML. */
function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Everything that promtool says; its status first. */
function ask(...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', parameters, { encoding: 'utf8' })
  return `${status}\n${stdout}${stderr}`
}

const searches = (outcome: string): string => `verbatim_searches_total{outcome="${outcome}"}`
const constant = (value: number): string => `${value}x${MINUTES}`
/** A counter that grows by this each minute. */
const growing = (perMinute: number): string => `0+${perMinute}x${MINUTES}`
const slow = (within4s: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ 4: within4s, 8: 100, '+Inf': 100 }).map(([bound, count]) => [
      `verbatim_search_duration_seconds_bucket{depth="balanced",le="${bound}"}`,
      growing(count),
    ]),
  )

/** Of every alert: what the service tells when it has to fire, and when it must not although something is amiss. */
const SERIES: Readonly<
  Record<string, readonly [fires: Record<string, string>, rests: Record<string, string>]>
> = {
  VerbatimDown: [{ 'up{job="verbatim"}': constant(0) }, { 'up{job="verbatim"}': constant(1) }],
  VerbatimStoreAway: [
    { 'verbatim_http_requests_total{job="verbatim",route="/ready",status="503"}': growing(6) },
    { 'verbatim_http_requests_total{job="verbatim",route="/ready",status="503"}': growing(0.1) },
  ],
  VerbatimSearchUnavailable: [
    { [searches('search_unavailable')]: growing(10), [searches('answered')]: growing(100) },
    { [searches('search_unavailable')]: growing(4), [searches('answered')]: growing(100) },
  ],
  VerbatimFailing: [
    { [searches('failed')]: growing(2), [searches('answered')]: growing(100) },
    { [searches('failed')]: growing(1), [searches('answered')]: growing(100) },
  ],
  VerbatimOverloaded: [
    { [searches('overloaded')]: growing(10), [searches('answered')]: growing(100) },
    { [searches('overloaded')]: growing(4), [searches('answered')]: growing(100) },
  ],
  VerbatimSlow: [slow(80), slow(94)],
  VerbatimEventLoopBlocked: [
    { 'nodejs_eventloop_lag_p99_seconds{job="verbatim"}': constant(0.3) },
    { 'nodejs_eventloop_lag_p99_seconds{job="verbatim"}': constant(0.2) },
  ],
  VerbatimMemoryHigh: [
    { 'process_resident_memory_bytes{job="verbatim"}': constant(2_600_000_000) },
    { 'process_resident_memory_bytes{job="verbatim"}': constant(1_200_000_000) },
  ],
  VerbatimEngineFailing: [
    {
      'verbatim_provider_failures_total{provider="brave"}': growing(6),
      'verbatim_provider_left_alone{provider="brave"}': constant(0),
    },
    {
      'verbatim_provider_failures_total{provider="brave"}': growing(2),
      'verbatim_provider_left_alone{provider="brave"}': constant(0),
    },
  ],
  VerbatimPagesFailing: [
    {
      'verbatim_pages_total{outcome="timeout"}': growing(60),
      'verbatim_pages_total{outcome="read"}': growing(40),
    },
    {
      'verbatim_pages_total{outcome="timeout"}': growing(40),
      'verbatim_pages_total{outcome="read"}': growing(20),
      'verbatim_pages_total{outcome="from_data"}': growing(20),
      'verbatim_pages_total{outcome="partly_damaged"}': growing(20),
    },
  ],
  VerbatimBrowserBusy: [
    { verbatim_browser_pages_waiting: constant(4) },
    { verbatim_browser_pages_waiting: constant(2) },
  ],
  VerbatimBrowserRestarting: [
    { verbatim_browser_starts_total: growing(1) },
    { verbatim_browser_starts_total: growing(0.25) },
  ],
  VerbatimRedisAway: [{ verbatim_redis_ready: constant(0) }, { verbatim_redis_ready: constant(1) }],
  VerbatimKeyGuessing: [
    { 'verbatim_rate_limit_refusals_total{quota="address"}': growing(90) },
    { 'verbatim_rate_limit_refusals_total{quota="address"}': growing(30) },
  ],
}

/** At the end of these series exactly these alerts fire. */
const expectation = (series: Record<string, string>, firing: string[]) => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${MINUTES}m`,
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
})

const alertsAsked = (tests: unknown[]): string =>
  ask('test', 'rules', write('tests.yaml', { rule_files: [RULES], evaluation_interval: '1m', tests }))

describe.skipIf(promtool === null)('Prometheus itself', () => {
  test('loads the rules and the configuration', () => {
    expect(ask('check', 'rules', RULES)).toMatch(/^0\n/u)
    const config = readFileSync(join(DEPLOY, 'prometheus', 'prometheus.yaml'), 'utf8')
      .replace('/etc/prometheus/verbatim-metrics-token', write('token', 'secret'))
      .replace('- alerts.yaml', `- ${RULES}`)
    expect(ask('check', 'config', write('prometheus.yaml', config))).toMatch(/^0\n/u)
  })

  test('understands every expression of the dashboard', () => {
    const dashboard = readYaml('grafana/verbatim.json') as { panels: { targets?: { expr: string }[] }[] }
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\{?\w+\}?/gu, 'any'),
    }))
    expect(rules.length).toBeGreaterThan(10)
    const path = write('panels.yaml', { groups: [{ name: 'panels', rules }] })
    expect(ask('check', 'rules', path)).toMatch(/^0\n/u)
  })

  test('fires every alert when its time has come, and none when nothing is worth a call', () => {
    const { groups } = readYaml('prometheus/alerts.yaml') as { groups: { rules: { alert: string }[] }[] }
    const alerts = Object.keys(SERIES)
    expect(alerts).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)))
    const [fires, rests] = ([0, 1] as const).map((side) =>
      Object.assign({}, ...Object.values(SERIES).map((both) => both[side])),
    )
    expect(alertsAsked([expectation(fires, alerts), expectation(rests, [])])).toMatch(/^0\n/u)
  })

  test('fires for an engine that is left alone, and so hardly asked', () => {
    const series = {
      'verbatim_provider_failures_total{provider="brave"}': growing(0.2),
      'verbatim_provider_left_alone{provider="brave"}': constant(1),
    }
    expect(alertsAsked([expectation(series, ['VerbatimEngineFailing'])])).toMatch(/^0\n/u)
  })

  test('would tell when an alert does not fire', () => {
    expect(alertsAsked([expectation({ 'up{job="verbatim"}': constant(1) }, ['VerbatimDown'])])).toMatch(
      /^1\n/u,
    )
  })
})
