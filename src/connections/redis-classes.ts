// The classes of the Redis client, to be loaded late: twenty megabytes, which an installation without Redis does without.
// A module of ours, because ioredis is CommonJS, whose names are lost where a bundle loads it by itself (bundle.mjs).
export { Cluster, Redis } from 'ioredis'
