// What something is, and below it what mends it: in words, and the command as one to type.
import type { JSX } from 'preact'

/** Words and a colon may stand before a command; none stand after it. */
const COMMAND = /(?<=^|: )(?:npm|npx|verbatim|docker) .*$/su

/** What mends something, its command as one to type. */
export function Remedy({ remedy }: { remedy: string }): JSX.Element {
  const command = COMMAND.exec(remedy)?.[0] ?? ''
  return (
    <span>
      {remedy.slice(0, remedy.length - command.length)}
      {command !== '' && <code>{command}</code>}
    </span>
  )
}

/** `remedy` is null where nothing needs mending. */
export function WithRemedy({ detail, remedy }: { detail: string; remedy: string | null }): JSX.Element {
  return (
    <span>
      {detail}
      {remedy !== null && (
        <>
          <br />
          <Remedy remedy={remedy} />
        </>
      )}
    </span>
  )
}
