// From bytes to a JSON object, with one defined answer for every way that can fail.
import bodyParser from 'koa-bodyparser'
import type { Context, Middleware } from 'koa'
import { LIMITS } from '../../contract.ts'
import { badRequest, unsupportedMediaType } from '../../errors.ts'

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/iu

/**
 * Reads the body as bytes whatever its label, so that what is wrong can be told exactly: `binary` maps each byte to one
 * character, and `parseJsonObject` decodes them as the UTF-8 that RFC 8259 §8.1 asks for.
 */
export function readBody(limitBytes: number = LIMITS.bodyBytes): Middleware {
  const options: bodyParser.Options & { encoding: 'binary' } = {
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(limitBytes),
    encoding: 'binary',
  }
  const parse = bodyParser(options)
  return async function readBodyMiddleware(context, next) {
    context.req.headers['content-type'] ??= 'application/json'
    await parse(context, next)
  }
}

/**
 * The body as a JSON object.
 * @throws {ApiError} 400 when it is empty, cut off, not JSON, not UTF-8 or not an object; 415 when it is JSON under
 * another label.
 */
export function parseJsonObject(context: Context): Record<string, unknown> {
  const raw = context.request.rawBody
  if (typeof raw !== 'string' || raw === '')
    throw badRequest('The request body is empty; send a JSON object.')
  const value = parseJson(raw)
  if (!isJsonObject(value)) throw badRequest('The request body must be a JSON object such as {"query": "…"}.')
  if (!JSON_TYPE.test(context.get('Content-Type'))) {
    throw unsupportedMediaType('Send the JSON body with "Content-Type: application/json".')
  }
  return value
}

function parseJson(raw: string): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw, 'latin1'))
    return JSON.parse(text)
  } catch {
    // The reason is the caller's own bytes; quoting them back would only risk echoing secrets.
    throw badRequest('The request body is not valid JSON.')
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
