import fc from 'fast-check'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { Chart, roundedMaximum } from '../../../src/dashboard/usage/chart.tsx'

describe('charts', () => {
  test('a scale is never below a value, never more than twice too high, and its grid lines are whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000_000 }), { minLength: 1, maxLength: 30 }), (values) => {
        const top = roundedMaximum([{ label: 'a', values }], 'bars')
        const highest = Math.max(...values)
        expect(top).toBeGreaterThanOrEqual(highest)
        expect(top).toBeLessThanOrEqual(Math.max(4, 2 * highest))
        expect(top % 4).toBe(0)
      }),
    )
  })

  test('stacked bars add up; lines do not', () => {
    const series = [
      { label: 'a', values: [60, 10] },
      { label: 'b', values: [60, null] },
    ]
    expect(roundedMaximum(series, 'bars')).toBe(120)
    expect(roundedMaximum(series, 'lines')).toBe(60)
  })

  test('a gap in a line stays a gap and a lone value is drawn as a dot that can be seen', () => {
    const html = renderToString(
      <Chart
        title="Latency"
        kind="lines"
        times={['1', '2', '3', '4']}
        formatValue={String}
        series={[{ label: 'p50', values: [1, null, 3, 4] }]}
      />,
    )
    const path = /class="line-1" d="([^"]+)"/u.exec(html)?.[1] ?? ''
    expect(path.match(/M/gu)).toHaveLength(2)
    expect(path.match(/L/gu)).toHaveLength(1)
    const dots = html.match(/<circle class="fill-1"[^>]* r="(?<radius>\d+)"/gu) ?? []
    expect(dots).toHaveLength(1)
    expect(path).not.toMatch(/NaN|undefined/u)
  })

  test('a bar tells its numbers', () => {
    const html = renderToString(
      <Chart
        title="Requests"
        kind="bars"
        times={['1 Nov']}
        formatValue={String}
        series={[
          { label: 'Answered', values: [3] },
          { label: 'Errors', values: [1] },
        ]}
      />,
    )
    expect(html).toContain('<title>1 Nov: Answered 3, Errors 1</title>')
    expect(html.match(/<rect class="fill-/gu)).toHaveLength(2)
  })
})
