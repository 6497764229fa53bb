// Draws what scores promise against what was found, as an SVG for the documentation.
import type { ReliabilityBin } from '../../src/score/relevance/calibration.ts'

const SIDE = 320
const MARGIN = 48
const WIDTH = SIDE + 2 * MARGIN
const RADIUS_MIN = 3
const RADIUS_MAX = 12

const x = (value: number): string => (MARGIN + value * SIDE).toFixed(1)
const y = (value: number): string => (MARGIN + (1 - value) * SIDE).toFixed(1)

/** A reliability diagram: one dot a bin, its area the number of passages; on the diagonal a score means what it says. */
export function reliabilityPlot(title: string, bins: readonly ReliabilityBin[]): string {
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const radius = (count: number): string =>
    (RADIUS_MIN + (RADIUS_MAX - RADIUS_MIN) * Math.sqrt(count / most)).toFixed(1)
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    `<line class="grid" x1="${x(value)}" y1="${y(0)}" x2="${x(value)}" y2="${y(1)}"/>`,
    `<line class="grid" x1="${x(0)}" y1="${y(value)}" x2="${x(1)}" y2="${y(value)}"/>`,
    `<text x="${x(value)}" y="${MARGIN + SIDE + 16}" text-anchor="middle">${value}</text>`,
    `<text x="${MARGIN - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${value}</text>`,
  ])
  const dots = bins
    .filter(({ count }) => count > 0)
    .map(
      ({ meanScore, relevantShare, count }) =>
        `<circle cx="${x(meanScore)}" cy="${y(relevantShare)}" r="${radius(count)}"><title>${count} passages: score ${meanScore.toFixed(2)}, relevant ${relevantShare.toFixed(2)}</title></circle>`,
    )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${WIDTH}" width="${WIDTH}" height="${WIDTH}" role="img" aria-label="${title}">
<style>svg{background:#fff}text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.diagonal{stroke:#888;stroke-dasharray:4}circle{fill:#2563eb;fill-opacity:.75}</style>
<text x="${WIDTH / 2}" y="24" text-anchor="middle">${title}</text>
${ticks.join('\n')}
<line class="diagonal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${dots.join('\n')}
<text x="${WIDTH / 2}" y="${WIDTH - 10}" text-anchor="middle">relevance_score</text>
<text x="14" y="${WIDTH / 2}" text-anchor="middle" transform="rotate(-90 14 ${WIDTH / 2})">share judged relevant</text>
</svg>
`
}
