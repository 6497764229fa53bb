// What is looked for among the pages that are kept, on the page of one site and on that of the whole library.
import { LIMITS } from '../../contract/limits.ts'
import type { FoundPage } from '../../library/schema.ts'
import type { DashboardParts } from '../context.ts'

const FOUND_SHOWN = 20

/** Among the pages of `origin`, or among all for null; null where nothing is asked. */
export async function findPages(
  { library }: Pick<DashboardParts, 'library'>,
  origin: string | null,
  query: string,
): Promise<FoundPage[] | null> {
  const asked = query.slice(0, LIMITS.queryCharacters)
  return asked.trim() === '' ? null : library.searchOrigin(origin, asked, FOUND_SHOWN)
}
