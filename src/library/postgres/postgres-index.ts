// Full-text search on PostgreSQL without extensions: postings in a table and BM25 in plain SQL, because the server's own
// ranking knows no inverse document frequency. Words are cut by us, as for SQLite, and stemmed by the server.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  TITLE_WEIGHT,
  type IndexAnswer,
  type IndexQuery,
  type LibraryTables,
  type PageFilter,
  type SearchIndex,
} from '../schema.ts'
import { excerptOf, type Term, wordsOf } from '../terms.ts'
import { phrasePattern } from './phrase-pattern.ts'

type Database = Kysely<LibraryTables>

/** Any fixed number: the advisory lock under which processes write and migrate. */
export const WRITE_LOCK = 8_613_245_002

/** Okapi BM25's usual constants: how soon repetition stops counting, and how much length does. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

export function createPostgresIndex(): SearchIndex {
  return {
    async lockForWriting(database) {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(database)
    },

    async add(database, id, title, text) {
      const counts = countWords(title, text)
      const words = [...counts.keys()]
      const frequencies = [...counts.values()]
      await sql`
        insert into library.posting (term, page_id, frequency)
        select stem, ${id}::integer, sum(frequency)
        from (
          select (ts_lexize('english_stem', word))[1] as stem, frequency
          from unnest(${words}::text[], ${frequencies}::integer[]) as counted (word, frequency)
        ) as stemmed
        where stem is not null group by stem`.execute(database)
      const length = frequencies.reduce((sum, frequency) => sum + frequency, 0)
      await sql`insert into library.page_length (page_id, words) values (${id}, ${length})`.execute(database)
    },

    async remove(database, id) {
      await sql`delete from library.posting where page_id = ${id}`.execute(database)
      await sql`delete from library.page_length where page_id = ${id}`.execute(database)
    },

    async search(database, query) {
      const stems = await stem(database, query.question.terms)
      if (stems.words.length + stems.prefixes.length === 0) return { pages: [] }
      const { rows } = await rank(stems, query).execute(database)
      const rarestFirst = (rows[0]?.terms ?? []).map((text) => ({ words: [text], isPrefix: true, text }))
      return {
        pages: rows.map(({ text, ...page }) =>
          Object.assign(page, { excerpt: excerptOf(text, rarestFirst) }),
        ),
      }
    },
  }
}

/** How often each word stands on the page; in the title it counts as so many times. */
function countWords(title: string, text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [words, weight] of [
    [wordsOf(fold(title)), TITLE_WEIGHT],
    [wordsOf(fold(text)), 1],
  ] as const) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  return counts
}

/** Without the accents of Latin, Greek and Cyrillic letters, as SQLite's tokenizer reads them. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036F\0]/gu, '')
    .normalize('NFC')

interface Stems {
  words: string[]
  prefixes: string[]
}

/** The question's words as the postings hold them; stop words are none. Phrases are no words: they filter. */
async function stem(database: Database, terms: readonly Term[]): Promise<Stems> {
  const single = terms.filter((term) => term.words.length === 1)
  const textsOf = (isPrefix: boolean): string[] =>
    single.filter((term) => term.isPrefix === isPrefix).map((term) => fold(term.text))
  const { rows } = await sql<{ stem: string }>`
    select distinct (ts_lexize('english_stem', word))[1] as stem from unnest(${textsOf(false)}::text[]) as word
    `.execute(database)
  return { words: rows.map((row) => row.stem).filter((text) => text !== null), prefixes: textsOf(true) }
}

const weight = (pages: RawBuilder<unknown>, holding: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`ln((${pages} - ${holding} + 0.5) / (${holding} + 0.5) + 1)`

type Ranked = Omit<IndexAnswer['pages'][number], 'excerpt'> & { text: string; terms: string[] }

/**
 * Okapi BM25 (Robertson and Zaragoza 2009). `covered` is the share of the question's weight that a page holds; terms
 * that no page holds weigh most and are held by none.
 */
function rank({ words, prefixes }: Stems, query: IndexQuery): RawBuilder<Ranked> {
  const asked = words.length + prefixes.length
  return sql<Ranked>`
    with total as (
      select count(*)::float8 as pages, greatest(avg(words), 1)::float8 as words from library.page_length
    ),
    matched as (
      select term, page_id, frequency::float8 from library.posting where term = any(${words}::text[])
      ${sql.join(prefixes.map(matchPrefix), sql` `)}
    ),
    weighed as (
      select term, ${weight(sql`max(total.pages)`, sql`count(*)`)} as weight
      from matched cross join total group by term
    ),
    question as (
      select (coalesce(sum(weight), 0) + (${asked}::integer - count(*)) * max(${weight(sql`total.pages`, sql`0`)}))
        as weight, array_agg(term order by weight desc) as terms
      from total left join weighed on true
    ),
    ranked as (
      select page_id, sum(weight) as covered, sum(weight * frequency * (1 + ${SATURATION}::float8) / (frequency
        + ${SATURATION}::float8 * (1 - ${LENGTH_SHARE}::float8 + ${LENGTH_SHARE}::float8 * page_length.words / total.words)
        )) as score
      from matched join weighed using (term) join library.page_length using (page_id) cross join total
      group by page_id
    )
    select page.url, page.title, page.text, page.published_at, page.updated_at, page.sitemap_date,
      question.terms
    from ranked join library.page on page.id = ranked.page_id cross join question
    where ranked.covered >= ${query.coverageMin}::float8 * question.weight and ${filterCondition(query.filter)}
      ${sql.join(query.question.phrases.map(holdsPhrase), sql` `)}
    order by ranked.score desc, page.id limit ${query.count}`
}

const matchPrefix = (prefix: string): RawBuilder<unknown> => sql`
  union all select ${prefix}::text as term, page_id, sum(frequency)::float8 from library.posting
  where term >= ${prefix} and term < ${`${prefix}\u{10FFFF}`} group by page_id`

/** Phrases are looked for in the text itself: postings know no places. */
function holdsPhrase(phrase: Term): RawBuilder<unknown> {
  const pattern = phrasePattern(phrase.text)
  return sql`and (lower(page.title) ~ ${pattern} or lower(page.text) ~ ${pattern})`
}

function filterCondition(filter: PageFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`]
  if (filter.language !== null)
    conditions.push(sql`(page.language is null or page.language = ${filter.language})`)
  if (filter.origin !== null) conditions.push(sql`page.origin = ${filter.origin}`)
  if (filter.publishedSince !== null) conditions.push(sql`page.dated_on >= ${filter.publishedSince}`)
  const included = filter.includeHostKeys.map((key) => sql`starts_with(page.host_key, ${key})`)
  if (included.length > 0) conditions.push(sql`(${sql.join(included, sql` or `)})`)
  for (const key of filter.excludeHostKeys) conditions.push(sql`not starts_with(page.host_key, ${key})`)
  return sql.join(conditions, sql` and `)
}
