// Whether a text gives orders to a language model instead of telling people something: "ignore previous instructions"
// and its kin in many languages. It only flags; the text itself is never changed.
import { fold } from './order-features.ts'
import { createOrderJudge, loadOrderWeights } from './order-weights.ts'
import { withoutQuotedExamples } from './quoted-examples.ts'
import { stretchesOf } from './stretches.ts'
import { hasTemplateMarks } from './template-marks.ts'

/** Read in full: passages are shorter, by far. */
const READ_CHARACTERS = 20_000

const isOrder = createOrderJudge(loadOrderWeights())

/** `text` is a snippet: the time grows with its length, at a microsecond a character or so. */
export function addressesModel(text: string): boolean {
  const read = withoutQuotedExamples(text.slice(0, READ_CHARACTERS))
  if (hasTemplateMarks(fold(read))) return true
  return stretchesOf(read).some(({ start, end }) => isOrder(fold(read.slice(start, end))))
}
