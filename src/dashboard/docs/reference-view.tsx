// The API reference as a program reads it: Swagger UI over our own /openapi.json, with every file served by us.
import type { JSX } from 'preact'
import { Page, PageHead, type Frame } from '../frame/page.tsx'

interface ReferenceProperties {
  frame: Frame
  /** Addresses of Swagger UI's files and of the script that starts it. */
  files: { style: string; bundle: string; start: string }
}

export function ReferencePage({ frame, files }: ReferenceProperties): JSX.Element {
  return (
    <Page
      frame={frame}
      style="docs"
      title="Interactive reference"
      description="Every endpoint of Verbatim, generated from the schemas the service checks requests with."
    >
      <PageHead title="Interactive reference">
        Generated from the schemas the service checks requests with, as{' '}
        <a href="/openapi.json">OpenAPI 3.1</a>. The <a href="/docs/api">API reference</a> says the same in
        words and works without scripts.
      </PageHead>
      <link rel="stylesheet" href={files.style} />
      <div id="reference" class="reference" />
      <script src={files.bundle} defer />
      <script src={files.start} defer />
    </Page>
  )
}
