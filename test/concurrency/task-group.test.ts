import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { detach, runTaskGroup } from '../../src/concurrency/task-group.ts'

const never = new AbortController().signal

/** A task that runs until its signal aborts, and tells when it did. */
function untilAborted(ended: string[], name: string) {
  return (signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended.push(name)
        reject(signal.reason)
      })
    })
}

describe('a task group', () => {
  test('gives its value only when every task it started has ended', async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    let isDone = false
    const group = runTaskGroup(never, async ({ start }) => {
      start(() => gate)
      return 'value'
    }).then((value) => {
      isDone = true
      return value
    })
    await nextTurn()
    expect(isDone).toBe(false)
    open()
    await expect(group).resolves.toBe('value')
  })

  test('a task that fails ends the others and the body, and is what the group fails with', async () => {
    const ended: string[] = []
    const failing = runTaskGroup(never, async ({ start, signal }) => {
      start(untilAborted(ended, 'sibling'))
      start(async () => {
        await nextTurn()
        throw new Error('the first failure')
      })
      await untilAborted(ended, 'body')(signal)
    })
    await expect(failing).rejects.toThrow('the first failure')
    expect(ended.toSorted()).toEqual(['body', 'sibling'])
  })

  test('a body that fails while its tasks run ends them, and no rejection is left without a handler', async () => {
    const stray = vi.fn<() => void>()
    process.on('unhandledRejection', stray)
    const ended: string[] = []
    const failing = runTaskGroup(never, async ({ start }) => {
      start(untilAborted(ended, 'one'))
      start(untilAborted(ended, 'two'))
      throw new Error('the body')
    })
    await expect(failing).rejects.toThrow('the body')
    await nextTurn()
    process.off('unhandledRejection', stray)
    expect(ended).toEqual(['one', 'two'])
    expect(stray).not.toHaveBeenCalled()
  })

  test('a task that throws before it awaits fails the group like any other', async () => {
    const failing = runTaskGroup(never, async ({ start }) => {
      start(() => {
        throw new Error('at once')
      })
    })
    await expect(failing).rejects.toThrow('at once')
  })

  test('waits for tasks that tasks have started', async () => {
    const seen: string[] = []
    await runTaskGroup(never, async ({ start }) => {
      start(async () => {
        await nextTurn()
        start(async () => {
          await nextTurn()
          seen.push('grandchild')
        })
      })
    })
    expect(seen).toEqual(['grandchild'])
  })

  test("the caller's signal reaches the tasks, with its reason", async () => {
    const caller = new AbortController()
    const group = runTaskGroup(caller.signal, async ({ start }) => start(untilAborted([], 'task')))
    caller.abort(new Error('the client went away'))
    await expect(group).rejects.toThrow('the client went away')
  })
})

test('the failure of detached work goes to whoever was named for it', async () => {
  const onFailure = vi.fn<(error: unknown) => void>()
  detach(Promise.reject(new Error('nobody waits')), onFailure)
  await nextTurn()
  expect(onFailure).toHaveBeenCalledWith(new Error('nobody waits'))
})
