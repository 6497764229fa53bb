// The wire of GET /health and GET /ready.
import { z } from 'zod'

export const healthResponseSchema = z.object({ status: z.literal('ok') })

/** GET /ready. `reasons` holds a code for each part that does not work; none when it is ready. */
export const readyResponseSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  reasons: z.array(z.string()),
})
