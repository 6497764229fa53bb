// What something is, and below it the command or setting that mends it.
import type { JSX } from 'preact'

/** `remedy` is null where nothing needs mending. */
export function WithRemedy({ detail, remedy }: { detail: string; remedy: string | null }): JSX.Element {
  return (
    <span>
      {detail}
      {remedy !== null && (
        <>
          <br />
          <code>{remedy}</code>
        </>
      )}
    </span>
  )
}
