// Says at the end of a run what it cost: the time in all and of each project, the dearest files, and what passed only at
// the second try.
import type { Reporter, TestModule } from 'vitest/node'

const FILES_NAMED = 10

export function createCostReporter(): Reporter {
  const startedAtMs = performance.now()
  return {
    onTestRunEnd(modules) {
      const costs = modules
        .map((module) => ({ module, ms: costMsOf(module) }))
        .toSorted((a, b) => b.ms - a.ms)
      const shares = new Map<string, number>()
      for (const { module, ms } of costs)
        shares.set(module.project.name, (shares.get(module.project.name) ?? 0) + ms)
      const lines = [
        `The run took ${inWords(performance.now() - startedAtMs)}. The work of all its processes together:`,
        ...[...shares].map(([name, ms]) => line(ms, name)),
        'The dearest files:',
        ...costs.slice(0, FILES_NAMED).map(({ module, ms }) => line(ms, module.relativeModuleId)),
        ...modules.flatMap(secondTries),
      ]
      process.stdout.write(`\n${lines.join('\n')}\n`)
    },
  }
}

function costMsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + duration
}

function secondTries(module: TestModule): string[] {
  const passed = [...module.children.allTests('passed')]
  const flaky = passed.filter((test) => test.diagnostic()?.flaky === true)
  return flaky.map(
    ({ fullName }) => `*** PASSED ONLY AT THE SECOND TRY: ${module.relativeModuleId}: ${fullName}`,
  )
}

const line = (ms: number, what: string): string => `${inWords(ms).padStart(14)}  ${what}`

/** 4 min 12 s, or 7.3 s. */
function inWords(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
