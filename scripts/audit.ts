// Asks the registry whether the dependencies of this folder that ship have known holes, and whether what is installed
// is what their authors signed. Fails for a hole that is high or critical and for a wrong signature; where the registry
// cannot be asked it says so loudly and fails nothing, because no commit is at fault for a missing network.
import { spawnSync } from 'node:child_process'
import { z } from 'zod'

const ASK_LIMIT_MS = 120_000
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']
/** Faults of ours, not of the network. */
const OWN_FAULTS = new Set(['ENOLOCK', 'ELOCKVERIFY', 'EJSONPARSE', 'EUSAGE', 'ELSPROBLEMS'])

const auditSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), nodes: z.array(z.string()) })),
})
const signaturesSchema = z.object({
  invalid: z.array(z.object({ name: z.string(), version: z.string() })),
})
const errorSchema = z.object({
  message: z.string().optional(),
  error: z.object({ code: z.string().optional(), summary: z.string().optional() }).optional(),
})

/** What npm prints for `npm audit …` as JSON; null when it prints none. */
function ask(...words: string[]): unknown {
  const npm = ['audit', ...words, '--json', ...PATIENCE]
  const { stdout } = spawnSync('npm', npm, { encoding: 'utf8', timeout: ASK_LIMIT_MS })
  try {
    return JSON.parse(stdout)
  } catch {
    return null
  }
}

/** Says what was found, and returns whether that is good enough. */
function judge(what: string, findings: string[] | null, answer: unknown): boolean {
  if (findings !== null) {
    console.log(findings.length === 0 ? `${what}: nothing found` : `${what}: ${findings.join(', ')}`)
    return findings.length === 0
  }
  const { data: failure } = errorSchema.safeParse(answer)
  const { code = 'no answer', summary = '' } = failure?.error ?? {}
  const reason = failure?.message ?? `${code} ${summary}`
  if (OWN_FAULTS.has(code)) {
    console.log(`${what}: ${reason}`)
    return false
  }
  console.log(`*** ${what} WERE NOT CHECKED: the registry could not be asked (${reason.trim()})`)
  return true
}

/** Each question by name; without words on the command line both are asked. */
const QUESTIONS: Readonly<Record<string, () => boolean>> = {
  holes() {
    const answer = ask('--omit=dev')
    const { data: report } = auditSchema.safeParse(answer)
    const holes = Object.entries(report?.vulnerabilities ?? {})
      .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
      .map(([name, { severity, nodes }]) => `${name} (${severity}, in ${nodes.join(' and ')})`)
    return judge('Known high or critical holes', report === undefined ? null : holes, answer)
  },
  signatures() {
    const answer = ask('signatures')
    const { data: report } = signaturesSchema.safeParse(answer)
    const forged = report?.invalid.map(({ name, version }) => `${name} ${version}`) ?? null
    return judge('Wrong signatures', forged, answer)
  },
}

const words = process.argv.slice(2)
const asked = words.length === 0 ? Object.keys(QUESTIONS) : words
const isGood = asked.map((word) => QUESTIONS[word]?.() ?? false)
process.exitCode = isGood.every(Boolean) ? 0 : 1
