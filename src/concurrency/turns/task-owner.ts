// Whose work is under way: callers take turns with the workers, whichever piece of code hands a task over for them.
import { AsyncLocalStorage } from 'node:async_hooks'

/** It holds nothing itself: the owner lives in the asynchronous flow of the work. */
const owners = new AsyncLocalStorage<string>()

/** Who owns what nobody in particular asked for, such as crawls. */
const NOBODY = ''

/** Runs `work`; every task that is handed to a pool because of it, however deep, is `owner`'s. */
export const runForOwner = <T>(owner: string, work: () => T): T => owners.run(owner, work)

/** The owner of what is under way here. */
export const taskOwner = (): string => owners.getStore() ?? NOBODY
