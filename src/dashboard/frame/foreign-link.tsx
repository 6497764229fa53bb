// A link to a foreign page: it learns neither where the reader comes from nor gets hold of this window.
import type { ComponentChildren, JSX } from 'preact'

interface ForeignLinkProperties {
  href: string
  /** It stands among buttons and looks like one. */
  isButton?: boolean
  children: ComponentChildren
}

/** `href` must be one that `safeLink` let pass. */
export function ForeignLink({ href, isButton = false, children }: ForeignLinkProperties): JSX.Element {
  return (
    <a
      class={isButton ? 'button button-plain button-small' : undefined}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  )
}
