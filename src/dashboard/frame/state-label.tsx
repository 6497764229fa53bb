// A state in words and shape, so that it does not depend on colour.
import type { JSX } from 'preact'
import type { PartState } from '../../telemetry/service-status.ts'

const STATES: Readonly<Record<PartState, string>> = {
  ready: 'Ready',
  limited: 'Limited',
  failing: 'Failing',
  missing: 'Missing',
  untried: 'Not tried',
  off: 'Off',
}

/** `words` in place of those of the state. */
export function StateLabel({ state, words }: { state: PartState; words?: string }): JSX.Element {
  return (
    <span class={`state state-${state}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {state === 'ready' && <circle cx="5" cy="5" r="5" />}
        {state === 'limited' && <path d="M5 0 10 10H0z" />}
        {(state === 'missing' || state === 'failing') && (
          <path d="M0 2 2 0l3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z" />
        )}
        {(state === 'off' || state === 'untried') && <path d="M0 4h10v2H0z" />}
      </svg>
      {words ?? STATES[state]}
    </span>
  )
}

/** What has to be looked after before what has not. */
const WORST_FIRST: readonly PartState[] = ['failing', 'missing', 'limited', 'untried', 'ready', 'off']

/** The state that stands for all of these; `off` for none. */
export const worstState = (parts: readonly { state: PartState }[]): PartState =>
  WORST_FIRST.find((state) => parts.some((part) => part.state === state)) ?? 'off'
