// The start page of strangers: what this is, that it is up, and how to begin. They learn nothing of versions, engines and
// folders.
import type { JSX } from 'preact'
import { firstCall } from '../code/curl-call.ts'
import { CodeBlock } from '../frame/fields.tsx'
import { Page, type Frame } from '../frame/page.tsx'
import { StateLabel } from '../frame/state-label.tsx'

interface StartProperties {
  frame: Frame
  /** The address callers use. */
  publicUrl: string
}

export function StartPage({ frame, publicUrl }: StartProperties): JSX.Element {
  return (
    <Page
      frame={frame}
      style="status"
      title="Verbatim"
      description="A self-hosted web search API that answers with passages, word for word, each with a calibrated relevance score."
    >
      <section class="hero">
        <div>
          <h1>
            Web search that answers <mark>word for word</mark>
          </h1>
          <p class="lede">
            Ask a question. Verbatim searches the web, reads the pages and returns the passages that answer
            it, exactly as the page has them, each with the probability that it is relevant.
          </p>
          <div class="actions">
            <a class="button" href="/docs/quick-start">
              Quick start
            </a>
            <a class="button button-plain" href="/docs/api">
              API reference
            </a>
          </div>
        </div>
        <div>
          <CodeBlock
            id="first-call"
            label="Example request"
            language="bash"
            code={firstCall(publicUrl, null)}
          />
          <p class="up">
            <StateLabel state="ready" words="This service is up." />
          </p>
        </div>
      </section>
      <section class="shown" aria-labelledby="shown">
        <h2 id="shown">A passage, marked on its page</h2>
        <p>
          Every passage is a slice of its page’s text. The answer names its place and the digest of that text,
          so anyone can <a href="/docs/proof">check it</a>, years later and without this service.
        </p>
        <div class="scroll" tabIndex={0} role="region" aria-label="A passage on its page">
          <img
            src="/docs/images/proof.svg"
            alt="A question, the passage that answers it, and that passage marked on its page"
            width="758"
            height="310"
            loading="lazy"
          />
        </div>
      </section>
    </Page>
  )
}
