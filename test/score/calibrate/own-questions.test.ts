import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOwnQuestions } from '../../../src/score/calibrate/own-questions.ts'

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs')

describe('the questions that ship with the project', () => {
  it('are a few hundred in several sets, some without an answer, each over passages of the whole documentation', async () => {
    const questions = await readOwnQuestions(DOCS)
    expect(questions.length).toBeGreaterThan(300)
    expect(new Set(questions.map(({ set }) => set)).size).toBe(5)
    expect(questions.filter(({ relevant }) => relevant.length === 0).length).toBeGreaterThan(50)
    for (const { passages, relevant } of questions) {
      expect(passages.length).toBeGreaterThan(150)
      for (const at of relevant) expect(passages[at]).toBeDefined()
    }
  })

  it('are answered by the section they stand in, without its heading, the question or marks of Markdown', async () => {
    const questions = await readOwnQuestions(DOCS)
    const revoke = questions.find(({ query }) => query === 'How do I revoke an API key?')
    const answer = revoke?.passages[revoke.relevant[0] ?? -1] ?? ''
    expect(answer).toMatch(/^To revoke an API key/u)
    for (const { passages } of questions.slice(0, 1))
      for (const passage of passages) {
        expect(passage).not.toMatch(/<!--|```|\]\(/u)
        expect(passage.length).toBeLessThanOrEqual(700)
      }
  })
})
