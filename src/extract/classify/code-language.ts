// The language of code, from the names that highlighters give to the elements around it.
import type { HtmlElement } from '../html/element-tree.ts'

/** Sites put the name on `<code>`, on `<pre>`, or on one of the elements around it. */
const ELEMENTS_AROUND = 3
/** A table with a column for the numbers of lines is no further element. */
const TABLE_PARTS = new Set(['td', 'tr', 'tbody', 'table'])
/**
 * Prism, highlight.js and HTML 5 (`language-`, `lang-`), Sphinx and GitHub (`highlight-`, `highlight-source-`),
 * SyntaxHighlighter (`brush: js`), Org (`src-`), pandoc (`sourceCode r`), highlight.js by itself (`hljs bash`).
 */
const NAMED =
  /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|brush:?)[-\s:]\s?([a-z][\w+#.-]{0,29})|(?:src-|(?:sourceCode|hljs)\s)([a-z][\w+#]{0,19}))(?=$|[\s;])/iu
const NO_LANGUAGE = new Set(
  'none text plain plaintext nohighlight default plugin toolbar highlight source wrap wrapper box container line lines'.split(
    ' ',
  ),
)

/** In lower case, as the page writes it: "python", "js"; null when nothing tells. `preformatted` holds `element`. */
export function codeLanguage(
  element: HtmlElement,
  preformatted: HtmlElement,
  languages: ReadonlyMap<HtmlElement, string>,
): string | null {
  let depthLeast = preformatted.depth - ELEMENTS_AROUND
  for (let at: HtmlElement | null = element; at !== null && at.depth >= depthLeast; at = at.parent) {
    const language = languages.get(at) ?? nameIn(at.classes)
    if (language !== undefined && !NO_LANGUAGE.has(language.toLowerCase())) return language.toLowerCase()
    if (TABLE_PARTS.has(at.name)) depthLeast--
  }
  return null
}

function nameIn(classes: string): string | undefined {
  const named = NAMED.exec(classes)
  return named?.[1] ?? named?.[2]
}
