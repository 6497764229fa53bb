// The passages that came next, with a slider of the threshold: what a lower one would have returned.
import type { JSX } from 'preact'
import { domainOf, type ExplainedPage } from './explained-pages.ts'

interface RejectedProperties {
  pages: readonly ExplainedPage[]
  /** The least score that was returned; null when no score was good enough. */
  threshold: number | null
}

/** Without scripts all of them are listed, best first. */
export function RejectedPassages({ pages, threshold }: RejectedProperties): JSX.Element {
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
              : `Snippets score at least ${threshold.toFixed(2)} here.`}{' '}
            These came next, at most five of a page; those that score as much say what a snippet says, or
            their page had better ones.
          </p>
          <Slider value={threshold ?? 1} />
          <ol class="rejected" id="rejected" tabIndex={0} aria-label="Rejected passages">
            {rejected.map(({ text, url, relevance_score: score }) => (
              <li data-score={score}>
                <p class="quiet small">
                  {score.toFixed(2)} · {domainOf(url)}
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

function Slider({ value }: { value: number }) {
  return (
    <div class="slider" data-needs-script>
      <label for="threshold">Threshold</label>
      <input type="range" id="threshold" min={0} max={1} step={0.01} value={value} aria-controls="rejected" />
      <output for="threshold" id="threshold-told" />
    </div>
  )
}
