// From bytes to a JSON object, with one defined answer for every way that can fail.
import bodyParser from 'koa-bodyparser'
import type { Context, Middleware } from 'koa'
import { LIMITS } from '../../contract/limits.ts'
import { badRequest, bodyTooLarge, unsupportedMediaType } from '../../errors.ts'
import { ClientGoneError } from './client-gone.ts'

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
    onerror: (error, context) => refuseBody(error, context, limitBytes),
  }
  const parse = bodyParser(options)
  return async function readBodyMiddleware(context, next) {
    const { headers } = context.req
    const { 'content-type': label = '', 'content-encoding': coding } = headers
    // One that names no type, "json" say, would keep the body from being read.
    headers['content-type'] = 'application/octet-stream'
    if (coding !== undefined) headers['content-encoding'] = codingOf(coding)
    await parse(context, async () => {
      headers['content-type'] = label === '' ? 'application/json' : label
      await next()
    })
  }
}

/** As the parser knows it: names are in any case, and gzip has two (RFC 9110 §8.4.1). */
function codingOf(written: string): string {
  const name = written.trim().toLowerCase()
  return name === 'x-gzip' ? 'gzip' : name
}

/** Body parsers throw errors with a status, save for bytes that are not encoded as their header says. */
export function refuseBody(error: Error, { req }: Context, limitBytes: number): never {
  // While its key was looked up, say: what it sent can be read no more.
  if (req.readableAborted) throw new ClientGoneError()
  if ('status' in error && error.status === 413) throw bodyTooLarge(limitBytes)
  if ('status' in error) throw error
  throw badRequest('The request body is not encoded as its Content-Encoding says.')
}

/**
 * The body as a JSON object.
 * @throws {ApiError} 400 when it is empty, cut off, not JSON, not UTF-8 or not an object; 415 when it is JSON under
 * another label.
 */
export function parseJsonObject(context: Context): Record<string, unknown> {
  const value = parseJsonValue(context)
  if (!isJsonObject(value)) throw badRequest('The request body must be a JSON object such as {"query": "…"}.')
  assertJsonType(context)
  return value
}

/** The same for protocols whose messages may stand in an array. */
export function parseJsonMessages(context: Context): {
  messages: Record<string, unknown>[]
  isBatch: boolean
} {
  const value = parseJsonValue(context)
  const isBatch = Array.isArray(value)
  const messages: unknown[] = isBatch ? value : [value]
  if (messages.length === 0 || !messages.every(isJsonObject))
    throw badRequest('The request body must be a JSON-RPC message, or an array of them.')
  assertJsonType(context)
  return { messages, isBatch }
}

function parseJsonValue(context: Context): unknown {
  const raw = context.request.rawBody
  if (typeof raw !== 'string' || raw === '')
    throw badRequest('The request body is empty; send a JSON object.')
  return parseJson(raw)
}

function assertJsonType(context: Context): void {
  if (JSON_TYPE.test(context.get('Content-Type'))) return
  throw unsupportedMediaType('Send the JSON body with "Content-Type: application/json".')
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
