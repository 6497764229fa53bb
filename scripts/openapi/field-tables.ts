// docs/compatible-fields.md, from the tables by which the adapters of foreign shapes judge requests.
import { FIELD_TABLES, type FieldTable } from '../../src/http/compat/field-tables.ts'
import { describeFields } from '../../src/http/compat/foreign-fields.ts'

/** "SearXNG, Tavily, … and Open WebUI": the tables' names without what each is for. */
const services = [...new Set(FIELD_TABLES.map(({ name }) => name.replace(/ [a-z]+$/u, '')))]
const HEAD = `---
title: Fields of compatible routes
description: What becomes of every field of the shapes of ${services.slice(0, -1).join(', ')} and ${services.at(-1)}.
---

# Fields of compatible routes

Every field is honoured, refused in the error shape of its service (status 400 unless that shape uses another), or harmless: it may be sent and changes nothing that an answer promises. Fields that stand in no table are ignored. A refused field that was left empty counts as not sent. At most 20 results are given: where a shape allows more, a request for more is refused, so that nobody takes what is given for all there is (Open WebUI’s alone gets 20). What narrows an answer is never passed over.`

/** The whole page. */
export const compatibleFieldsPage = (): string => `${[HEAD, ...FIELD_TABLES.map(sectionOf)].join('\n\n')}\n`

function sectionOf({ name, paths, fields, within = [], areHeaders = false }: FieldTable): string {
  const below = paths.map((path) => `\`/compat${path.replace('*address', 'ADDRESS')}\``).join(' and ')
  const place = within.length > 0 ? `, in \`${within.join('.')}\`` : areHeaders ? ', as headers' : ''
  const title = [name, within.join('.')].filter((part) => part !== '').join(': ')
  const rows = describeFields(fields).map(({ field, becomes }) => `| \`${field}\` | ${becomes} |`)
  return [
    `## ${title}`,
    `At ${below}${place}.`,
    ['| Field | Becomes |', '|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}
