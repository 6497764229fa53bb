// The passages that came next, with a slider of the threshold: what another one would have returned.
import type { JSX } from 'preact'
import { domainOf, type ExplainedPage } from './explained-pages.ts'

interface RejectedProperties {
  pages: readonly ExplainedPage[]
  /** The least score that was returned; null when no score was good enough. */
  threshold: number | null
  /** The scores of what was returned. */
  returned: readonly number[]
}

/** Without scripts all of them are listed, best first. */
export function RejectedPassages({ pages, threshold, returned }: RejectedProperties): JSX.Element {
  const rejected = pages
    .flatMap(({ url, rejected: passages }) => passages.map((passage) => ({ ...passage, url })))
    .toSorted((left, right) => right.relevance_score - left.relevance_score)
  return (
    <>
      <h3>Rejected passages</h3>
      {rejected.length === 0 ? (
        <p class="quiet">Every passage was returned, or there was none.</p>
      ) : (
        <>
          <p class="quiet small">
            {threshold === null
              ? 'No score keeps the share of wrong snippets that was allowed.'
              : `Snippets score at least ${shortScore(threshold)} here.`}{' '}
            These came next, at most five of a page; those that score as much say what a snippet says, or
            their page had better ones.
          </p>
          <Slider threshold={threshold} returned={returned} />
          <p class="quiet small" id="rejected-none" hidden>
            None of them scores that much: a lower threshold shows them.
          </p>
          <ol class="rejected" id="rejected" tabIndex={0} aria-label="Rejected passages">
            {rejected.map(({ text, url, relevance_score: score }) => (
              <li data-score={score}>
                <p class="quiet small">
                  {score.toFixed(SCORE_DIGITS)} · {domainOf(url)}
                </p>
                <blockquote dir="auto">{text}</blockquote>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

/** As many as the API gives: most rejected passages differ in the third. */
const SCORE_DIGITS = 4
/** Close together where scores of rejected passages are: steps of one size would leave them all to the first. */
const STEPS = [
  0, 0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35,
  0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1,
] as const

/** As `toFixed`, with no more digits than it needs and at least two. */
const shortScore = (score: number): string => score.toFixed(SCORE_DIGITS).replace(/0{1,2}$/u, '')

/** The slider moves from step to step; the script reads the thresholds they stand for. */
function Slider({ threshold, returned }: Omit<RejectedProperties, 'pages'>) {
  const now = threshold ?? 1
  const steps = [...new Set([...STEPS, now])].toSorted((left, right) => left - right)
  return (
    <div class="slider" data-needs-script>
      <label for="threshold">Threshold</label>
      <input
        type="range"
        id="threshold"
        min={0}
        max={steps.length - 1}
        step={1}
        value={steps.indexOf(now)}
        aria-valuetext={shortScore(now)}
        aria-controls="rejected"
        data-steps={steps.map(shortScore).join(' ')}
        data-returned={returned.join(' ')}
      />
      <output for="threshold" id="threshold-told" />
    </div>
  )
}
