// The first run: a store with neither user nor key gets one API key and one admin invitation, exactly once.
import type { Store } from './store.ts'

/** Null when the store already has a user or a key, or another process was first. */
export declare function prepareFirstRun(store: Store): Promise<{ key: string; invitationToken: string } | null>
