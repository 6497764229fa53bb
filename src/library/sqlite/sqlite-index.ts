// Full-text search by SQLite's FTS5: BM25 with the title weighted, English stems, accents ignored.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  inverseDocumentFrequency,
  TITLE_WEIGHT,
  type IndexAnswer,
  type IndexQuery,
  type LibraryTables,
  type PageFilter,
  type SearchIndex,
} from '../schema.ts'
import { excerptOf, toIndexText, type Question, type Term } from '../terms.ts'

type Database = Kysely<LibraryTables>

interface WeighedTerm {
  term: Term
  match: string
  weight: number
  isCommon: boolean
}

export function createSqliteIndex(): SearchIndex {
  return {
    async lockForWriting(database) {
      // A transaction that first reads and then writes fails when another process wrote in between, however long it
      // would wait; one that starts with a write, even of nothing, waits.
      await sql`update page set url = url where id < 0`.execute(database)
    },

    async add(database, id, title, text) {
      const words = [toIndexText(title), toIndexText(text)]
      await sql`insert into page_words (rowid, title, body) values (${id}, ${words[0]}, ${words[1]})`.execute(
        database,
      )
    },

    async remove(database, id) {
      await sql`delete from page_words where rowid = ${id}`.execute(database)
    },

    async search(database, query) {
      const terms = await weighTerms(database, query.question)
      const ranked = await rank(database, terms, query)
      const covered = await dropUncovered(database, terms, ranked, query.coverageMin)
      const rarestFirst = byWeight(terms).map(({ term }) => term)
      return { pages: await readPages(database, covered, rarestFirst) }
    },
  }
}

/** A term as FTS5 writes it. Words hold no quote, and within quotes FTS5 knows no operator. */
const toMatch = (term: Term): string => `"${term.words.join(' ')}"${term.isPrefix ? '*' : ''}`

const byWeight = (terms: readonly WeighedTerm[]): WeighedTerm[] =>
  terms.toSorted((left, right) => right.weight - left.weight)

async function weighTerms(database: Database, question: Question): Promise<WeighedTerm[]> {
  const { rows } = await sql<{ pages: number }>`select count(*) as pages from page`.execute(database)
  const pages = rows[0]?.pages ?? 0
  const weighed: WeighedTerm[] = []
  for (const term of question.terms) {
    const match = toMatch(term)
    const counted = await sql<{ pages: number }>`
      select count(*) as pages from page_words where page_words match ${match}`.execute(database)
    const pagesWithTerm = counted.rows[0]?.pages ?? 0
    const weight = inverseDocumentFrequency(pages, pagesWithTerm)
    weighed.push({ term, match, weight, isCommon: pagesWithTerm > pages / 2 })
  }
  return weighed
}

/** Ids of the best pages that pass the filter. Words on more than half of the pages do not rank, they only cost time. */
async function rank(database: Database, terms: readonly WeighedTerm[], query: IndexQuery): Promise<number[]> {
  const rare = terms.filter(({ isCommon }) => !isCommon)
  const any = (rare.length > 0 ? rare : terms).map(({ match }) => match).join(' OR ')
  const match = [...query.question.phrases.map(toMatch), `(${any})`].join(' AND ')
  const { rows } = await sql<{ id: number }>`
    select page.id from page_words join page indexed by page_filter on page.id = page_words.rowid
    where page_words match ${match} and ${filterCondition(query.filter)}
    order by bm25(page_words, ${sql.lit(TITLE_WEIGHT)}, 1.0) limit ${query.count}`.execute(database)
  return rows.map(({ id }) => id)
}

function filterCondition(filter: PageFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`]
  if (filter.language !== null)
    conditions.push(sql`(page.language is null or page.language = ${filter.language})`)
  if (filter.origin !== null) conditions.push(sql`page.origin = ${filter.origin}`)
  if (filter.publishedSince !== null) conditions.push(sql`page.dated_on >= ${filter.publishedSince}`)
  if (filter.includeHostKeys.length > 0) {
    conditions.push(sql`(${sql.join(filter.includeHostKeys.map(onHosts), sql` or `)})`)
  }
  for (const key of filter.excludeHostKeys) conditions.push(sql`not ${onHosts(key)}`)
  return sql.join(conditions, sql` and `)
}

/** "/" follows "." in every collation by bytes, so this range is exactly the keys that start with `key`. */
const onHosts = (key: string): RawBuilder<unknown> =>
  sql`(page.host_key >= ${key} and page.host_key < ${`${key.slice(0, -1)}/`})`

/**
 * Leaves out the pages that hold too little of the question. Without this, "how do I …" would find every page there is,
 * and a fallback engine must rather find nothing.
 */
async function dropUncovered(
  database: Database,
  terms: readonly WeighedTerm[],
  ids: readonly number[],
  coverageMin: number,
): Promise<number[]> {
  const covered = new Map(ids.map((id) => [id, 0]))
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  for (const { match, weight } of ids.length === 0 ? [] : terms) {
    const { rows } = await sql<{ id: number }>`
      select rowid as id from page_words where page_words match ${match} and rowid in (${sql.join([...ids])})`.execute(
      database,
    )
    for (const { id } of rows) covered.set(id, (covered.get(id) ?? 0) + weight)
  }
  return ids.filter((id) => (covered.get(id) ?? 0) >= coverageMin * total)
}

async function readPages(
  database: Database,
  ids: readonly number[],
  rarestFirst: readonly Term[],
): Promise<IndexAnswer['pages']> {
  if (ids.length === 0) return []
  const rows = await database
    .selectFrom('page')
    .select(['id', 'url', 'title', 'text', 'published_at', 'updated_at', 'sitemap_date'])
    .where('id', 'in', [...ids])
    .execute()
  const pages = new Map(
    rows.map(({ id, text, ...page }) => [id, Object.assign(page, { excerpt: excerptOf(text, rarestFirst) })]),
  )
  return ids.flatMap((id) => pages.get(id) ?? [])
}
