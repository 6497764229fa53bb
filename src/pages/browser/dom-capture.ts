// The script that takes a rendered page down: the functions that run inside the page (dom-writer.ts), put together, the
// limits they keep and what they must give back.
import { z } from 'zod'
import { CAPTURED_PLACES } from './captured-places.ts'
import { CAPTURED_TAGS } from './captured-tags.ts'
import { captureDom, DOM_WRITER_FUNCTIONS, type CapturedDom, type CaptureLimits } from './dom-writer.ts'
import { namesInPage, type PageScript, sourceOf } from './page-scripts.ts'
import { UNSEEN_TEXT, UNSEEN_TEXT_FUNCTIONS } from './unseen-text.ts'

/** Limits of one capture; when one is reached the rest of the page is left out and `truncated` is true. */
const DOM_CAPTURE_LIMITS: CaptureLimits = {
  nodes: 60_000,
  htmlCharacters: 4_000_000,
  depth: 600,
  frameDepth: 3,
  timeMs: 800,
}

const capturedDomSchema: z.ZodType<CapturedDom> = z.object({
  url: z.string(),
  html: z.string(),
  proseLength: z.number(),
  truncated: z.boolean(),
})

/** Takes the page down, as far as `limits` allow. */
export function domCaptureScript(limits: CaptureLimits = DOM_CAPTURE_LIMITS): PageScript<CapturedDom> {
  const asked = { ...CAPTURED_TAGS, ...CAPTURED_PLACES }
  const functions = [...DOM_WRITER_FUNCTIONS, ...Object.values(asked), ...UNSEEN_TEXT_FUNCTIONS]
  const given = [UNSEEN_TEXT, CAPTURED_TAGS, CAPTURED_PLACES].map(namesInPage)
  const call = `${namesInPage({ captureDom })}.captureDom(${[JSON.stringify(limits), ...given].join(', ')})`
  return { expression: sourceOf(functions, call), result: capturedDomSchema }
}
