// A link to a foreign page: it learns neither where the reader comes from nor gets hold of this window.
import type { JSX } from 'preact'

/** `href` must be one that `safeLink` let pass. */
export function ForeignLink({ href, children }: { href: string; children: string }): JSX.Element {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
