// Code as HTML in which a style sheet can colour strings, keywords, comments and names; the text stays what it is.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'

const GRAMMARS = { bash, json, python, typescript, yaml } as const

export type CodeLanguage = keyof typeof GRAMMARS

for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar)

/** What stands behind a fence of Markdown, too. */
const NAMES: ReadonlyMap<string, CodeLanguage> = new Map([
  ['sh', 'bash'],
  ['ts', 'typescript'],
  ['python', 'python'],
  ['json', 'json'],
  ['jsonc', 'json'],
  ['yaml', 'yaml'],
])

/** The language that a fence names; null for one that is not coloured. */
export const languageOfFence = (fence: string | undefined): CodeLanguage | null =>
  NAMES.get(fence ?? '') ?? null

/** `code` with every sign of HTML escaped, in spans of the classes `hljs-…`. */
export const colouredCode = (code: string, language: CodeLanguage): string =>
  hljs.highlight(code, { language, ignoreIllegals: true }).value
