// A search as code in the languages people ask for, and as a call of the Model Context Protocol, safe to paste whatever
// the query holds.
import type { CodeLanguage } from '../code/coloured-code.ts'
import { curlCall } from '../code/curl-call.ts'

export interface CodeSample {
  id: string
  label: string
  language: CodeLanguage
  code: string
}

/**
 * The same POST /v1/search with `body` as curl, TypeScript and Python, the tool call over MCP, and the body alone. With `key` null it is
 * read from VERBATIM_KEY.
 */
export function codeSamples(
  publicUrl: string,
  body: Readonly<Record<string, unknown>>,
  key: string | null = null,
): CodeSample[] {
  const url = `${publicUrl}/v1/search`
  return [
    { id: 'sample-curl', label: 'curl', language: 'bash', code: curlCall(url, key, jsonText(body)) },
    {
      id: 'sample-typescript',
      label: 'TypeScript',
      language: 'typescript',
      code: typescriptSample(url, body, key),
    },
    { id: 'sample-python', label: 'Python', language: 'python', code: pythonSample(url, body, key) },
    { id: 'sample-mcp', label: 'MCP', language: 'bash', code: mcpSample(`${publicUrl}/mcp`, body, key) },
    { id: 'sample-json', label: 'JSON', language: 'json', code: jsonText(body) },
  ]
}

/** What the tool takes; what else a body may hold is the API's alone. */
const TOOL_ARGUMENTS: ReadonlySet<string> = new Set([
  'query',
  'num_results',
  'search_depth',
  'recency',
  'language',
  'include_domains',
  'exclude_domains',
])

/** As clients send it (MCP 2025-06-18, Streamable HTTP). */
function mcpSample(url: string, body: Readonly<Record<string, unknown>>, key: string | null): string {
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => TOOL_ARGUMENTS.has(name)))
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: given } }
  return curlCall(url, key, JSON.stringify(call, null, 2), ['Accept: application/json, text/event-stream'])
}

function typescriptSample(url: string, body: Readonly<Record<string, unknown>>, key: string | null): string {
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    key === null
      ? '    Authorization: `Bearer ${process.env.VERBATIM_KEY}`,'
      : `    Authorization: 'Bearer ${key}',`,
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${indent(jsonText(body))}),`,
    '})',
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)',
    'const { results } = await response.json()',
    'for (const { url, snippets } of results) console.log(url, snippets)',
  ].join('\n')
}

function pythonSample(url: string, body: Readonly<Record<string, unknown>>, key: string | null): string {
  return [
    key === null ? 'import json, os, urllib.request' : 'import json, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    '    headers={',
    key === null
      ? '        "Authorization": f"Bearer {os.environ[\'VERBATIM_KEY\']}",'
      : `        "Authorization": "Bearer ${key}",`,
    '        "Content-Type": "application/json",',
    '    },',
    `    data=json.dumps(${indent(pythonLiteral(body), '    ')}).encode(),`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    for result in json.load(response)["results"]:',
    '        print(result["url"], result["snippets"])',
  ].join('\n')
}

/** One line per field, lists on one line, as a person writes it. */
function jsonText(body: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(body).map(([name, value]) => `  ${JSON.stringify(name)}: ${inlineJson(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

const inlineJson = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : JSON.stringify(value)

const indent = (text: string, by = '  '): string => text.replace(/\n/gu, `\n${by}`)

/** JSON's strings and numbers are Python's too; only its three words differ. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([name, one]) => `    ${JSON.stringify(name)}: ${pythonLiteral(one)},`,
    )
    return `{\n${entries.join('\n')}\n}`
  }
  return JSON.stringify(value)
}
