// From a parsed JSON body to a request, or to what is wrong with its fields.
import type { z } from 'zod'

/** One refused field: an RFC 6901 pointer into the body and a sentence that says what is allowed. */
export interface FieldIssue {
  pointer: string
  message: string
}

export type ParsedBody<T> = { ok: true; request: T } | { ok: false; issues: FieldIssue[] }

/** Judges a body by its schema. Never throws. */
export function parseBody<T extends z.ZodType>(
  schema: T,
  body: Record<string, unknown>,
): ParsedBody<z.output<T>> {
  const parsed = schema.safeParse(body)
  return parsed.success
    ? { ok: true, request: parsed.data }
    : { ok: false, issues: fieldIssues(parsed.error, []) }
}

/**
 * Wrong fields that a refusal names: a thousand wrong documents would make it twenty times as long as what it refuses.
 */
const ISSUES_MAX = 20

/** What a refusal tells of the fields that were wrong; `prefix` is where the judged value stands in the body. */
export function fieldIssues(error: z.ZodError, prefix: readonly string[]): FieldIssue[] {
  const issues = error.issues.slice(0, ISSUES_MAX).map((issue) => ({
    pointer: [...prefix, ...issue.path.map(String)]
      .map((part) => `/${part.replace(/~/gu, '~0').replace(/\//gu, '~1')}`)
      .join(''),
    message: issue.path.length > 1 ? `${issue.path.map(String).join('.')} ${issue.message}` : issue.message,
  }))
  // A number may be no safe integer and too large at once: one sentence says both.
  return [...new Map(issues.map((issue) => [`${issue.pointer} ${issue.message}`, issue])).values()]
}
