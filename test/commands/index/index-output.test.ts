import { expect, test } from 'vitest'
import {
  formatFiles,
  formatProgress,
  formatSites,
  formatSummary,
} from '../../../src/commands/index/index-output.ts'

const SITE = 'https://a.example/'
const READ = { siteUrl: SITE, isResumed: false, pagesRead: 2, unread: 0, end: 'complete' } as const

test('how a crawl ended is told, and what to do where it did not come to its end', () => {
  expect(formatSummary(READ)).toBe(`${SITE}: 2 pages. All of it is read.`)
  expect(formatSummary({ ...READ, isResumed: true, end: 'limit' })).toBe(
    `${SITE}: 2 pages (an interrupted crawl went on). The page limit is reached; --limit raises it.`,
  )
  expect(formatSummary({ ...READ, pagesRead: 0 })).toBe(`${SITE}: 0 pages. There is nothing to read.`)
  expect(formatSummary({ ...READ, unread: 1 })).toContain('Not all of it could be read')
  expect(formatSummary({ ...READ, pagesRead: 0, unread: 1 })).toContain('Nothing of it could be read')
  expect(formatFiles({ url: 'file:///a/', filesRead: 1, filesFailed: 1, end: 'limit' })).toBe(
    'file:///a/: 1 file, 1 could not be read. The limit is reached; --limit raises it.',
  )
})

test('lines of progress stand beneath each other, with the reason of what was not read', () => {
  const lines = [
    formatProgress({ url: SITE, outcome: 'read', reason: null, pagesRead: 9 }, 10),
    formatProgress({ url: SITE, outcome: 'skipped', reason: 'robots.txt forbids it', pagesRead: 10 }, 10),
  ]
  expect(lines).toEqual([` 9/10  read     ${SITE}\n`, `10/10  skipped  ${SITE} (robots.txt forbids it)\n`])
})

test('sites that are not finished say so, and folders stand after them', () => {
  const counts = { waiting: 3, read: 2, alias: 0, failed: 1, skipped: 0 }
  const site = { url: SITE, pageLimit: 5, depthLimit: 1, delayMs: 0, finishedAt: null, lastEnd: null, counts }
  const [, first, second] = formatSites([site], [{ url: 'file:///a/', files: 4 }]).split('\n')
  expect(first).toMatch(/^https:\/\/a\.example\/ +2\/5 +1 +3 +1 +not finished$/u)
  expect(second).toMatch(/^file:\/\/\/a\/ +4$/u)
})
