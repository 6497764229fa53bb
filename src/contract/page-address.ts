// Addresses of pages that a caller names: those of the web, and those of files, which a search gives for documents of the
// library and which nobody opens but these.

export const PAGE_PROTOCOL = /^(?:https?|file)$/u
/** Ends the sentence that names the field. */
export const PAGE_ADDRESS_RULE = 'must be an http://, https:// or file:// address.'

export const isPageAddress = (text: string): boolean =>
  /^(?:https?|file):\/\//iu.test(text) && URL.canParse(text)
