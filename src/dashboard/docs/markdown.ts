// Markdown of the documentation to HTML. Raw HTML in it is shown, never obeyed (comments are dropped), and links may only lead to the web or
// to other pages: the documentation folder is ours, but a page must not become a way around the dashboard's rules.
import { Marked, type Token, type Tokens } from 'marked'
import { colouredCode, languageOfFence, type CodeLanguage } from '../code/coloured-code.ts'

/** `A heading {#id}`: for addresses that must not change with the words, such as those of error codes. */
const CHOSEN_ID = /^(.*) \{#([\w-]+)\}$/u

/**
 * Renders `markdown` (GitHub flavour). Headings get anchors, with an id of their words or the one in `{#id}` behind them; tables and code can be scrolled by keyboard,
 * blocks of code that follow one another in several languages become one with a name over each,
 * links to `other.md` become links to `/docs/other`, images must lie in `images/`.
 */
export function renderMarkdown(markdown: string): string {
  const used = new Set<string>()
  let blocks = 0
  let tables = 0
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text.replace(COMMENTS, '')),
      // Marked leaves text behind a raw <script> or <pre> as it is; here no tag is raw, so all text is escaped.
      text(token) {
        return 'tokens' in token && token.tokens !== undefined
          ? this.parser.parseInline(token.tokens)
          : escapeHtml(token.text, KNOWN_ENTITY)
      },
      heading({ tokens, depth, text: source }) {
        const [, text = source, chosenId] = CHOSEN_ID.exec(source) ?? []
        const id = uniqueId(chosenId ?? text, used)
        const title = this.parser.parseInline(tokens).replace(/ \{#[\w-]+\}$/u, '')
        if (depth === 1) return `<h1>${title}</h1>\n`
        // Its sign is drawn by the style sheet: in the text, every quote of the heading would end with it.
        const label = escapeHtml(`Link to this section: ${plainText(text)}`)
        return `<h${depth} id="${id}">${title}<a class="anchor" href="#${id}" aria-label="${label}"></a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const target = resolveLink(href)
        const inner = this.parser.parseInline(tokens)
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text }) {
        const name = /^(?:\.\/)?images\/([\w-]+\.(?:svg|png))$/u.exec(href)?.[1]
        return name === undefined
          ? escapeHtml(text)
          : `<img src="/docs/images/${name}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang }) {
        blocks += 1
        return codeBlock(text, languageOfFence(lang), blocks)
      },
      table(token) {
        tables += 1
        return scrollableTable(token, tables, (cell) => this.parser.parseInline(cell.tokens))
      },
    },
  })
  return runsOf(marked.lexer(markdown))
    .map((run) => {
      const blocksOfRun = run.map((token) => marked.parser([token]))
      return run.length === 1 ? blocksOfRun.join('') : languageGroup(run.map(languageOf), blocksOfRun)
    })
    .join('')
}

/** What a block of code is in, by the word behind its fence. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['sh', 'curl'],
  ['ts', 'TypeScript'],
  ['python', 'Python'],
])

const languageOf = (token: Token): string | null =>
  token.type === 'code' && typeof token['lang'] === 'string' ? (LANGUAGES.get(token['lang']) ?? null) : null

/** Blocks of code in different languages with nothing between them, and every other token by itself. */
function runsOf(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = runs.at(-1) ?? []
    const language = languageOf(token)
    const before = new Set(last.map(languageOf))
    const isFurther = language !== null && !before.has(null) && !before.has(language)
    if (isFurther && last.length > 0) last.push(token)
    else runs.push([token])
  }
  return runs
}

/** The script makes tabs of it. */
function languageGroup(languages: readonly (string | null)[], rendered: readonly string[]): string {
  const parts = rendered.map(
    (code, index) =>
      `<div class="language" data-language="${languages[index]}"><p class="language-name">${languages[index]}</p>${code}</div>`,
  )
  return `<div class="languages">${parts.join('')}</div>\n`
}

function codeBlock(code: string, language: CodeLanguage | null, number: number): string {
  const id = `code-${number}`
  // Hidden to who reads the page without its style, as searches do: the word is no part of the text they quote.
  const copy = `<button type="button" class="button button-plain button-small copy" data-copy="${id}" data-needs-script hidden>Copy</button>`
  return `<div class="code">${copy}<pre tabindex="0" role="region" aria-label="Code ${number}"><code id="${id}">${language === null ? escapeHtml(code) : colouredCode(code, language)}</code></pre></div>\n`
}

function scrollableTable(
  token: Tokens.Table,
  number: number,
  inline: (cell: Tokens.TableCell) => string,
): string {
  const head = token.header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
  const rows = token.rows
    .map((row) =>
      row.map((cell, column) => `<td>${column === 0 ? inline(cell) : breakable(inline(cell))}</td>`),
    )
    .map((cells) => `<tr>${cells.join('')}</tr>`)
    .join('\n')
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${number}"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`
}

/** Long names of settings break where their words end, and not at any letter; those of the first column do not break. */
const breakable = (cell: string): string =>
  cell.replace(/<code>[^<]*<\/code>/gu, (code) => code.replaceAll('_', '_<wbr>'))

function resolveLink(href: string): string | null {
  const page = /^(?:\.\/)?([\w-]+)\.md(#[\w-]+)?$/u.exec(href)
  if (page !== null) return `/docs/${page[1]}${page[2] ?? ''}`
  return /^(?:https?:\/\/|#|\/(?!\/))/u.test(href) ? href : null
}

function uniqueId(heading: string, used: Set<string>): string {
  const base =
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_]+/gu, '-')
      .replace(/^-+|(?<!-)-+$/gu, '') || 'section'
  let id = base
  for (let copy = 2; used.has(id); copy += 1) id = `${base}-${copy}`
  used.add(id)
  return id
}

const plainText = (markdown: string): string => markdown.replace(/[`*_]/gu, '')

const COMMENTS = /<!--[\s\S]*?-->\n*/gu

/** An ampersand that begins no entity of the writer's, such as `&copy;`. */
const KNOWN_ENTITY = /&(?!#?\w+;)/gu

const escapeHtml = (text: string, ampersand = /&/gu): string =>
  text
    .replace(ampersand, '&amp;')
    .replace(/</gu, '&lt;')
    .replace(/>/gu, '&gt;')
    .replace(/"/gu, '&quot;')
    .replace(/'/gu, '&#39;')
