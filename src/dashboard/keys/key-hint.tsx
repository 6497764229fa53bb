// As much of a key as may be shown: enough to tell it from others.
import type { JSX } from 'preact'
import type { ApiKey } from '../../accounts/keys/api-key.ts'

export function KeyHint({ apiKey: { prefix, lastFour } }: { apiKey: ApiKey }): JSX.Element {
  return (
    <code class="nowrap">
      {prefix}…{lastFour}
    </code>
  )
}
