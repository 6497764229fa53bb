// Small charts drawn on the server as SVG: bars and lines over time, with a scale of round numbers. The numbers
// themselves stand in a table on the page; a chart is a picture of them and says so to assistive technology.
import type { JSX } from 'preact'

const WIDTH = 640
const HEIGHT = 190
const LEFT = 60
const RIGHT = 8
const TOP = 8
const BOTTOM = 24
const PLOT_WIDTH = WIDTH - LEFT - RIGHT
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM
const GRID_LINES = 4
const TIME_LABELS = 6
const DOT_RADIUS = 3
/** Tenths of a power of ten at which a scale may end. */
const ROUND_TOPS = [10, 12, 16, 20, 40, 60, 80, 100, 120]

export interface Series {
  label: string
  /** One value per point in time; null where there is none. */
  values: readonly (number | null)[]
}

interface ChartProperties {
  title: string
  kind: 'bars' | 'lines'
  /** One or two; bars are stacked in this order from the bottom. */
  series: readonly Series[]
  /** Label of each point in time. */
  times: readonly string[]
  formatValue: (value: number) => string
}

export function Chart({ title, kind, series, times, formatValue }: ChartProperties): JSX.Element {
  const top = roundedMaximum(series, kind)
  const lines = Array.from({ length: GRID_LINES + 1 }, (_, index) => (top * index) / GRID_LINES)
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        {series.length > 1 && series.map((one, index) => <LegendEntry label={one.label} index={index} />)}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}. The table below has the numbers.`}
      >
        {lines.map((value) => (
          <>
            <line
              class={value === 0 ? 'grid base' : 'grid'}
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={y(value, top)}
              y2={y(value, top)}
            />
            <text x={LEFT - 8} y={y(value, top) + 4} text-anchor="end">
              {formatValue(value)}
            </text>
          </>
        ))}
        <TimeLabels times={times} />
        {kind === 'bars'
          ? times.map((time, index) => (
              <Bar
                index={index}
                count={times.length}
                top={top}
                series={series}
                time={time}
                formatValue={formatValue}
              />
            ))
          : series.map((one, index) => <Line values={one.values} top={top} index={index} />)}
      </svg>
    </figure>
  )
}

function LegendEntry({ label, index }: { label: string; index: number }) {
  return (
    <span class="legend">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <rect class={`key-${index + 1}`} width="10" height="10" rx="2" />
      </svg>
      {label}
    </span>
  )
}

function TimeLabels({ times }: { times: readonly string[] }) {
  const step = Math.max(1, Math.ceil(times.length / TIME_LABELS))
  return (
    <>
      {times.map((time, index) =>
        index % step === 0 ? (
          <text x={round(centre(index, times.length))} y={HEIGHT - 6} text-anchor="middle">
            {time}
          </text>
        ) : null,
      )}
    </>
  )
}

interface BarProperties {
  index: number
  count: number
  top: number
  series: readonly Series[]
  time: string
  formatValue: (value: number) => string
}

/** One stack; its tooltip tells the numbers. */
function Bar({ index, count, top, series, time, formatValue }: BarProperties) {
  const width = Math.max(1, (PLOT_WIDTH / count) * 0.72)
  if (series.every(({ values }) => (values[index] ?? 0) === 0)) return null
  let below = 0
  const told = series.map(({ label, values }) => `${label} ${formatValue(values[index] ?? 0)}`).join(', ')
  return (
    <g>
      <title>{`${time}: ${told}`}</title>
      {series.map(({ values }, position) => {
        const value = values[index] ?? 0
        if (value === 0) return null
        below += value
        const height = y(below - value, top) - y(below, top)
        return (
          <rect
            class={`fill-${position + 1}`}
            x={round(centre(index, count) - width / 2)}
            y={y(below, top)}
            width={round(width)}
            height={round(height)}
          />
        )
      })}
    </g>
  )
}

/** A line with gaps where there is no value; a lone value becomes a dot, which no line would show. */
function Line({ values, top, index }: { values: Series['values']; top: number; index: number }) {
  const isAlone = (at: number): boolean =>
    (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
  return (
    <>
      <path class={`line-${index + 1}`} d={linePath(values, top)} />
      {values.map((value, at) =>
        value !== null && isAlone(at) ? (
          <circle
            class={`fill-${index + 1}`}
            cx={round(centre(at, values.length))}
            cy={y(value, top)}
            r={DOT_RADIUS}
          />
        ) : null,
      )}
    </>
  )
}

function linePath(values: readonly (number | null)[], top: number): string {
  let path = ''
  let isDrawing = false
  values.forEach((value, index) => {
    if (value === null) {
      isDrawing = false
      return
    }
    const point = `${round(centre(index, values.length))} ${y(value, top)}`
    path += isDrawing ? `L${point}` : `M${point}`
    isDrawing = true
  })
  return path
}

/** A round number, not below any value (bars: any stack), that the grid lines divide into whole numbers. */
export function roundedMaximum(series: readonly Series[], kind: ChartProperties['kind']): number {
  const count = series[0]?.values.length ?? 0
  let highest = 1
  for (let index = 0; index < count; index += 1) {
    const values = series.map((one) => one.values[index] ?? 0)
    const height = kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
    highest = Math.max(highest, height)
  }
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  const tops = ROUND_TOPS.map((top) => (top * magnitude) / 10)
  return (
    tops.find((top) => top >= highest && top % GRID_LINES === 0) ??
    Math.ceil(highest / GRID_LINES) * GRID_LINES
  )
}

const centre = (index: number, count: number): number => LEFT + (PLOT_WIDTH / count) * (index + 0.5)
const y = (value: number, top: number): number => round(TOP + PLOT_HEIGHT * (1 - value / top))
const round = (value: number): number => Math.round(value * 10) / 10
