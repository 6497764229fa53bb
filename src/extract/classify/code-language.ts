// The language of code, from the names that highlighters give to the elements around it.
import type { HtmlElement } from '../html/element-tree.ts'

/** Sites put the name on `<code>`, on `<pre>`, or on one of the elements around it. */
const ELEMENTS_AROUND = 3
/**
 * Prism, highlight.js and HTML 5 (`language-`, `lang-`), Sphinx and GitHub (`highlight-`, `highlight-source-`),
 * SyntaxHighlighter (`brush: js`).
 */
const NAMED =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?)[-\s:]\s?([a-z][\w+#.-]{0,29})(?=$|[\s;])/iu
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
  const depthLeast = preformatted.depth - ELEMENTS_AROUND
  for (let at: HtmlElement | null = element; at !== null && at.depth >= depthLeast; at = at.parent) {
    const language = languages.get(at) ?? NAMED.exec(at.classes)?.[1]
    if (language !== undefined && !NO_LANGUAGE.has(language.toLowerCase())) return language.toLowerCase()
  }
  return null
}
