// What the documentation's page of an application tells people to put there, with a service's address and secrets in
// the places of those that are written in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../../src/config.ts'

export interface WrittenFor {
  url: string
  key: string
  token: string
}

/**
 * The settings of docs/client-NAME.md by name; '' for a line that is nothing but an address. Of YAML whose value is a
 * variable, what the remark behind it says. Names may be those of a form, with spaces in them.
 */
export function settingsOf(name: string, { url, key, token }: WrittenFor): Record<string, string> {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs', `client-${name}.md`), 'utf8')
  const blocks = [...page.matchAll(/```(?:sh|yaml)\n([\s\S]*?)```/gu)].map(([, block = '']) => block)
  const lines = blocks.join('').split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, named = '', value = ''] =
        /^\s*([A-Za-z][\w' ]*)(?:=|: )(?:"\$\{\w+\}" # )?(\S.*)$/u.exec(line) ??
        /^()(https?:\S+)$/u.exec(line) ??
        []
      const written = value
        .replace('http://verbatim:3000', url)
        .replace('TOKEN', token)
        .replace('<API_KEY>', key)
      return value === '' ? [] : [[named, written] as const]
    }),
  )
}
