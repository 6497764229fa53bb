// A section of a long page that can be folded: on narrow screens it begins so (public/folding.js), one line that tells what
// matters of it; elsewhere it looks like any other section.
import type { ComponentChildren, JSX } from 'preact'

interface FoldingSectionProperties {
  id: string
  title: string
  /** Stands beside the title while the section is folded. */
  gist: ComponentChildren
  children: ComponentChildren
}

export function FoldingSection({ id, title, gist, children }: FoldingSectionProperties): JSX.Element {
  return (
    <section aria-labelledby={id} class="folding">
      <details open data-folding={id}>
        <summary>
          <h2 id={id}>{title}</h2>
          <span class="gist">{gist}</span>
        </summary>
        {children}
      </details>
    </section>
  )
}
