// `npm run eval -- …`: how well passages are ranked, whether scores mean what they say, and how well pages are read; the
// table of eval/evaluations.ts is all that can be asked.
import { parseArgs } from 'node:util'
import { EVALUATIONS, missingOf, SHARED_OPTIONS, usage } from './eval/evaluations.ts'

const FLAG = { type: 'boolean', default: false } as const
const FLAGS = Object.fromEntries(EVALUATIONS.map(({ name }) => [name ?? 'help', FLAG]))

/** Ends the program: what was asked cannot be done as it was asked. */
function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}

function readOptions() {
  try {
    return parseArgs({ options: { ...FLAGS, ...SHARED_OPTIONS, help: FLAG } }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`)
  }
}

const options = readOptions()
if (options.help) {
  console.log(usage())
  process.exit(0)
}
const flags: Readonly<Record<string, unknown>> = options
const asked = EVALUATIONS.find(({ name }) => name !== null && flags[name] === true) ?? EVALUATIONS[0]
if (asked === undefined) throw new Error('There is nothing to evaluate.')
const missing = missingOf(asked, options)
if (missing !== null) refuse(missing)
await asked.run(options)
// Of what an evaluation has started, some would go on.
process.exit(0)
