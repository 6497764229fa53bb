// Documents that were uploaded, and the form that uploads them.
import type { JSX } from 'preact'
import {
  DOCUMENT_BYTES_MAX,
  type DocumentOutcome,
  type StoredDocument,
} from '../../library/files/document-store.ts'
import { EmptyState, Field, RemovalForm } from '../frame/fields.tsx'
import { formatCount, formatDay } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { documentRemovalOf, pageAddressOf } from './links.ts'
import { FILES_MAX } from './read-upload.ts'

interface DocumentsProperties {
  frame: Frame
  isAdmin: boolean
  documents: readonly StoredDocument[]
  /** What became of those that were just sent, when not all of them are kept. */
  outcomes: readonly DocumentOutcome[] | null
}

export function Documents({ frame, isAdmin, documents, outcomes }: DocumentsProperties): JSX.Element {
  return (
    <section aria-labelledby="documents-title">
      <h2 id="documents-title">Documents</h2>
      {outcomes !== null && <Outcomes outcomes={outcomes} />}
      {documents.length === 0 ? (
        <EmptyState title="No documents yet">
          PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV, Markdown, HTML and plain text can be found by
          what they say.
        </EmptyState>
      ) : (
        <DocumentTable isAdmin={isAdmin} documents={documents} />
      )}
      {isAdmin && <UploadForm frame={frame} />}
    </section>
  )
}

function Outcomes({ outcomes }: { outcomes: readonly DocumentOutcome[] }) {
  const [kept, refused] = [
    outcomes.filter((one) => one.refused === null),
    outcomes.filter((one) => one.refused !== null),
  ]
  return (
    <div class="notice notice-bad" role="alert">
      {outcomes.length === 0 && <p>Choose a document first.</p>}
      {refused.map(({ name, refused: why }) => (
        <p>
          <strong>{name}</strong> is not kept. {why}
        </p>
      ))}
      {kept.length > 0 && <p>{kept.map(({ name }) => name).join(', ')} can be found now.</p>}
    </div>
  )
}

function DocumentTable({ isAdmin, documents }: Pick<DocumentsProperties, 'isAdmin' | 'documents'>) {
  const columns: Column<StoredDocument>[] = [
    {
      label: 'Document',
      isRowHead: true,
      look: 'breakable',
      cell: ({ url, name }) => <a href={pageAddressOf(url)}>{name}</a>,
    },
    { label: 'Title', look: 'breakable', cell: ({ title }) => title },
    {
      label: 'Size',
      look: 'number nowrap',
      cell: ({ bytes }) => `${formatCount(Math.ceil(bytes / 1024))} KB`,
    },
    { label: 'Uploaded', look: 'nowrap', cell: ({ addedAt }) => formatDay(addedAt) },
  ]
  if (isAdmin)
    columns.push({
      label: 'Remove',
      isLabelHidden: true,
      cell: ({ name }) => (
        <a class="button button-plain button-small" href={documentRemovalOf(name)}>
          Remove…<span class="visually-hidden"> {name}</span>
        </a>
      ),
    })
  return <CardTable columns={columns} rows={documents} />
}

function UploadForm({ frame }: { frame: Frame }) {
  return (
    <form
      method="post"
      action="/library/documents#documents-title"
      encType="multipart/form-data"
      class="stack narrow upload"
    >
      {/* First, because files are taken only after it. */}
      <FormToken frame={frame} />
      <Field
        name="documents"
        label="Upload documents"
        type="file"
        multiple
        required
        help={`At most ${FILES_MAX} at once, of ${DOCUMENT_BYTES_MAX / 2 ** 20} MB each. One of the same name takes the other’s place.`}
      />
      <div class="actions">
        <button type="submit" class="button" data-busy="Uploading…">
          Upload
        </button>
      </div>
    </form>
  )
}

/** The question before a document is removed. */
export function DocumentRemovalPage({ frame, name }: { frame: Frame; name: string }): JSX.Element {
  return (
    <Page frame={frame} style="library" title="Remove document">
      <PageHead title="Remove this document?" above={['/library#documents-title', 'Library']}>
        {name} is removed, and searches no longer find it. Nothing else is kept of it here.
      </PageHead>
      <RemovalForm
        frame={frame}
        action="/library/documents/remove"
        field={{ name: 'name', value: name }}
        does="Remove document"
        leave={['/library#documents-title', 'Keep it']}
      />
    </Page>
  )
}
