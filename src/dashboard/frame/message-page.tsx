// A page that only says something: errors, and the moments after a link was used.
import type { JSX } from 'preact'
import { Page, PageHead, type Frame } from './page.tsx'

interface MessageProperties {
  frame: Frame
  title: string
  detail: string
  /** Where to go from here. */
  next: { href: string; label: string; isForm?: boolean }
}

export function MessagePage({ frame, title, detail, next }: MessageProperties): JSX.Element {
  return (
    <Page frame={frame} title={title}>
      <PageHead title={title}>{detail}</PageHead>
      <a class="button" href={next.href} data-back-to-form={next.isForm}>
        {next.label}
      </a>
    </Page>
  )
}
