// What set-up tells of its steps: on a terminal one line a step with its seconds and a last line that moves, otherwise
// JSON lines like those of the service's log.

const TICK_MS = { terminal: 1_000, lines: 30_000 }

/**
 * @param {{ stream?: { write(text: string): unknown, isTTY?: boolean } }} [options] where it is told; default stderr
 */
export function openProgress({ stream = process.stderr } = {}) {
  const running = new Map()
  const show = stream.isTTY ? createTerminal(stream, running) : createLines(stream, running)
  const told = new WeakSet()
  let ticker = null

  function tick(isOn) {
    if (isOn && ticker === null)
      ticker = setInterval(show.tick, stream.isTTY ? TICK_MS.terminal : TICK_MS.lines)
    if (!isOn && ticker !== null) ticker = clearInterval(ticker) ?? null
  }

  return {
    /** How many steps there were. */
    get count() {
      return show.count()
    },

    /**
     * Runs `work` as a step; what it returns, when it is a text, stands beside the step's name. One that fails with the
     * failure of another, for which it waited, is not told.
     */
    async step(name, work) {
      running.set(name, Date.now())
      show.begin(name)
      tick(true)
      try {
        const detail = await work()
        end(name, typeof detail === 'string' ? detail : null, true)
        return detail
      } catch (error) {
        if (told.has(error)) running.delete(name)
        else end(name, null, false)
        told.add(error)
        throw error
      }
    },

    /** A sentence of its own; `isWarning` for what somebody has to mend. */
    say(text, { isWarning = false } = {}) {
      show.say(text, isWarning)
    },
  }

  function end(name, detail, isDone) {
    const seconds = (Date.now() - (running.get(name) ?? Date.now())) / 1000
    running.delete(name)
    if (running.size === 0) tick(false)
    show.end(name, detail, seconds, isDone)
  }
}

function createTerminal(stream, running) {
  let count = 0
  const line = (text) => stream.write(`\r\x1b[K${text}\n`)
  const status = () => {
    const parts = [...running].map(([name, since]) => `${name} ${Math.round((Date.now() - since) / 1000)} s`)
    stream.write(`\r\x1b[K${parts.length > 0 ? `  … ${parts.join(', ')}` : ''}`)
  }
  return {
    count: () => count,
    begin: status,
    tick: status,
    end: (name, detail, seconds, isDone) => {
      count += 1
      const label = detail === null ? name : `${name} (${detail})`
      line(`  ${isDone ? '✓' : '✗'} ${label.padEnd(64)} ${seconds.toFixed(1).padStart(6)} s`)
      status()
    },
    say: (text, isWarning) => {
      line(`  ${isWarning ? '!' : '·'} ${text}`)
      status()
    },
  }
}

function createLines(stream, running) {
  let count = 0
  const line = (level, fields) =>
    stream.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`)
  return {
    count: () => count,
    begin: () => undefined,
    tick: () => {
      for (const [step, since] of running)
        line(30, { step, seconds: Math.round((Date.now() - since) / 1000), msg: 'set-up is still at it' })
    },
    end: (step, detail, seconds, isDone) => {
      count += 1
      const fields = { step, ...(detail === null ? {} : { detail }), seconds: Number(seconds.toFixed(1)) }
      line(isDone ? 30 : 50, {
        ...fields,
        msg: isDone ? 'set-up has done a step' : 'a step of set-up failed',
      })
    },
    say: (text, isWarning) => line(isWarning ? 40 : 30, { msg: text }),
  }
}
