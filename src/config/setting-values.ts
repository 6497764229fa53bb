// The kinds of values that settings take. The words of each end the sentence "NAME must be …".
import { z } from 'zod'

/** A whole number of that range, in digits. */
export const wholeNumber = (min: number, max: number, words = `a whole number from ${min} to ${max}`) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/u, words)
    .transform(Number)
    .pipe(z.number().min(min, words).max(max, words))
export const port = wholeNumber(0, 65_535, 'a port number from 0 to 65535')

export const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/u,
  error: 'an address that begins with postgres://, special signs of its password percent-encoded',
})

export const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], 'on or off')
  .transform((text) => ['on', 'true', '1'].includes(text))

/** Parts with commas between. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

export const share = z.coerce
  .number('a share from 0 to 1')
  .min(0, 'a share from 0 to 1')
  .max(1, 'a share from 0 to 1')

/** Headers as the OpenTelemetry specification writes them: W3C Baggage, `name=value,name=value`, percent-encoded. */
export const headerPairs = z
  .string()
  .regex(
    /^(?:[\w!#$&'*+.^`|~-]+=(?:[!-$&-+\--:<-~]|%[2-7][\dA-Fa-f])*(?:,(?! *$) *|$))+$/u,
    'name=value pairs with commas between, values percent-encoded',
  )
  .transform((text) =>
    Object.fromEntries(
      text.split(',').map((pair): [string, string] => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1))]
      }),
    ),
  )
