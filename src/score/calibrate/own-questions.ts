// The questions that ship with the project: those that our documentation answers, section by section (Apache-2.0, as all of
// it). Whoever has no labelled questions calibrates on them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabelledQuestion } from './labelled-questions.ts'

/** A section says in a comment which question it answers. */
const SECTION = /^## (?<heading>.+)\n+<!-- (?<question>.+?) -->\n(?<body>[\s\S]*)/u
/** As long as a passage of a page may be. */
const PASSAGE_CHARACTERS = 700
const PASSAGE_CHARACTERS_MIN = 80
/** Pages are dealt into so many sets, of which one at a time is left out of the fit. */
const SETS = 5
/** Every so many questions are asked once more of all sections but the one that answers. */
const UNANSWERED_EVERY = 3

interface Section {
  set: string
  heading: string
  question: string
  text: string
}

/** Markdown as a page shows it, near enough. */
const plain = (markdown: string): string =>
  markdown
    .replace(/<!--.*?-->/gu, '')
    .replace(/^```[\s\S]*?^```$/gmu, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^\|[-| :]+\|$/gmu, '')
    .replace(/[`*|]/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .trim()

function cut(text: string): string {
  if (text.length <= PASSAGE_CHARACTERS) return text
  const end = text.lastIndexOf(' ', PASSAGE_CHARACTERS)
  return text.slice(0, end > 0 ? end : PASSAGE_CHARACTERS)
}

function sectionsOf(markdown: string, set: string): Section[] {
  return markdown.split(/(?=^## )/mu).flatMap((part) => {
    const { heading = '', question = '', body = '' } = SECTION.exec(part)?.groups ?? {}
    const text = cut(plain(body))
    return question === '' || text.length < PASSAGE_CHARACTERS_MIN
      ? []
      : [{ set, heading: plain(heading), question, text }]
  })
}

/** Each section's question and its heading as a query over all sections, and some over all but the one that answers. */
export async function readOwnQuestions(docsDirectory: string): Promise<LabelledQuestion[]> {
  const names = (await readdir(docsDirectory)).filter((name) => name.endsWith('.md')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(docsDirectory, name), 'utf8')))
  const sections = texts.flatMap((text, page) => sectionsOf(text, `docs${page % SETS}`))
  const passages = sections.map(({ text }) => text)
  return sections.flatMap(({ set, question, heading }, at) => {
    const asked = [question, heading].map((query) => ({ set, query, passages, relevant: [at] }))
    const others = passages.toSpliced(at, 1)
    return at % UNANSWERED_EVERY === 0
      ? asked.concat({ set, query: question, passages: others, relevant: [] })
      : asked
  })
}
