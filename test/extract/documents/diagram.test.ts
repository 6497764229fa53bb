import { expect, test } from 'vitest'
import { readDiagram } from '../../../src/extract/documents/office/diagram.ts'

test('a point of any number of paragraphs is read', () => {
  const count = 200_000
  const paragraphs = '<a:p><a:r><a:t>words</a:t></a:r></a:p>'.repeat(count)
  const xml = `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="1"><dgm:t>${paragraphs}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
  expect(readDiagram(xml).length).toBe(count)
})
