// Puts the files that take longest at the head of a run: one of them that began last, as small ones do by themselves,
// would hold up the end while the other processes rest.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = join(import.meta.dirname, '..', '..')
/** What cost-reporter.ts names as the dearest. */
const LONGEST = [
  'test/main.test.ts',
  'test/commands/search.test.ts',
  'test/pages/egress/browser-egress.test.ts',
  'test/http/compat/patience.test.ts',
  'test/telemetry/open-telemetry.test.ts',
  'test/commands/index/index-pages.test.ts',
  'test/faults/page-sized-work.test.ts',
  'test/search/reading/reading-pool.test.ts',
  'test/dashboard/flows.test.ts',
  'test/library/crawl/crawler.test.ts',
]
const gone = LONGEST.filter((file) => !existsSync(join(ROOT, file)))
if (gone.length > 0) throw new Error(`No such test files: ${gone.join(', ')}`)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(ROOT, moduleId))
      return at < 0 ? LONGEST.length : at
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, which gives a new array
    const byDefault = await super.sort(files)
    return byDefault.toSorted((left, right) => place(left) - place(right))
  }
}
