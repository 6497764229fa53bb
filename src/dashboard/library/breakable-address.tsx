// An address that may be broken behind its slashes, so that a narrow page breaks no word of it and leaves no slash alone.
import type { JSX } from 'preact'

const BEHIND_SLASHES = /(?<=\/)(?!\/|$)/u

export const BreakableAddress = ({ url }: { url: string }): JSX.Element => (
  <>
    {url.split(BEHIND_SLASHES).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
)
