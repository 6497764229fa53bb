// The media types of documents that are files, apart from their readers: who only sorts pages by type loads none of them.

export const DOCUMENT_TYPES = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/epub+zip',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const isDocument = (mediaType: string): mediaType is DocumentType =>
  DOCUMENT_TYPES.some((type) => type === mediaType)
