// The other end of search-worker.ts: sends it questions, and starts it anew when it died.
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../concurrency/worker-thread.ts'
import type { IndexAnswer, IndexQuery } from '../schema.ts'
import type { SearchReply, SearchTask } from './search-worker.ts'

interface Waiting {
  resolve: (answer: IndexAnswer) => void
  reject: (error: Error) => void
}

const WORKER_MEMORY_MB = 512
/** Searches waiting for the thread at once; beyond, they fail at once and the caller asks another engine. */
const WAITING_MAX = 200

/** The thread starts with the first search, or before by `warmUp`, and does not keep the process alive. */
export function createSearchThread(file: { path: string; busyMs: number }) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let lastId = 0
  let isClosed = false

  function start(): Worker {
    const started = startWorker(import.meta.url, 'search-worker', {
      memoryMb: WORKER_MEMORY_MB,
      workerData: file,
    })
    started.unref()
    started.on('message', (reply: SearchReply) => {
      const asked = waiting.get(reply.id)
      waiting.delete(reply.id)
      if ('answer' in reply) asked?.resolve(reply.answer)
      else asked?.reject(new Error(reply.failure))
    })
    const giveUp = (error: Error): void => {
      if (worker === started) worker = null
      for (const asked of waiting.values()) asked.reject(error)
      waiting.clear()
    }
    started.on('error', giveUp)
    started.on('exit', () => giveUp(new Error('the search thread ended')))
    return started
  }

  return {
    search(query: IndexQuery): Promise<IndexAnswer> {
      if (isClosed) return Promise.reject(new Error('the library is closed'))
      if (waiting.size >= WAITING_MAX)
        return Promise.reject(new Error('too many searches wait for the library'))
      worker ??= start()
      lastId += 1
      const task: SearchTask = { id: lastId, query }
      return new Promise((resolve, reject) => {
        waiting.set(task.id, { resolve, reject })
        worker?.postMessage(task, [])
      })
    },

    warmUp(): void {
      if (!isClosed) worker ??= start()
    },

    async close(): Promise<void> {
      isClosed = true
      await worker?.terminate()
    },
  }
}
