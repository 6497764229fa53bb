// What a route is: told once, by one file in routes/ or compat/. Its place in the router, its door, how it is counted
// and its part of the OpenAPI document follow from it.
import type { Middleware } from 'koa'
import type { z } from 'zod'
import type { KeyScope } from '../contract/key-scopes.ts'
import type { CallerState } from './request/authenticate.ts'
import type { RequestState } from './request/follow-requests.ts'

/** A schema of the contract under the name that the OpenAPI document gives it. */
export interface NamedSchema {
  name: string
  schema: z.ZodType
  /** JSON Schema for what zod cannot say. */
  constraints?: Readonly<Record<string, unknown>>
}

/** What the OpenAPI document says of a route. */
export interface Operation {
  id: string
  summary: string
  /** What stands in the path and behind the question mark; what the path does not name is of the query. */
  parameters?: z.ZodObject
  /** The JSON body; absent for a route that reads none. */
  body?: NamedSchema
  /** What is answered when all is well. */
  answer: NamedSchema & { description: string }
  /** Another body that the route takes, with the answer that it gets. */
  alternative?: { body: NamedSchema; answer: NamedSchema }
  /** Further media types of that answer, with what their text holds. */
  streams?: Readonly<Record<string, string>>
  /** Other answers of the same shape, by status. */
  otherwise?: Readonly<Record<number, string>>
  /** Statuses of refusals besides those of the door. */
  refusals: readonly number[]
}

interface RouteDescription {
  method: 'get' | 'post' | 'put'
  path: string
  /** Most bytes of a body that it takes; left out for LIMITS.bodyBytes. */
  bodyBytes?: number
  /** Null for what other documents describe: foreign shapes, and addresses for operators. */
  operation: Operation | null
}

/**
 * `key`: behind the door, where a key is demanded, a point spent, its scope looked at (of several, any one will do) and
 * the body read, in this order;
 * `open`: for everybody.
 * `createHandler` takes the parts it works with and nothing else.
 */
export type Route<Parts> = RouteDescription &
  (
    | {
        door: 'key'
        scope: KeyScope | readonly KeyScope[]
        createHandler: (parts: Parts) => Middleware<CallerState>
      }
    | { door: 'open'; createHandler: (parts: Parts) => Middleware<RequestState> }
  )

/** How errors are spelled below a path, for foreign clients that know no problem documents. */
export interface ErrorShape {
  /** Path prefix with a slash at its end. */
  prefix: string
  /** Status and JSON body of the answer; the error's headers are sent besides. */
  spell: (error: { status: number; detail: string }) => { status: number; body: unknown }
}
