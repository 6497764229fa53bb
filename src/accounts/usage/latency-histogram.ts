// Latencies as counts in buckets that grow by a quarter power of two: small to store, addable over hours and replicas,
// and good to nine per cent at every quantile. Pure.

const BUCKETS_PER_DOUBLING = 4
/** Holds everything above 2^(71/4) ms, which is 221 s. */
const BUCKET_MAX = 72

/** The bucket of a latency: 0 for up to 1 ms, then i for (2^((i−1)/4), 2^(i/4)] ms, at most 72. */
export function latencyBucket(latencyMs: number): number {
  if (!(latencyMs > 1)) return 0
  return Math.min(BUCKET_MAX, Math.ceil(Math.log2(latencyMs) * BUCKETS_PER_DOUBLING))
}

/** What the latencies of a bucket are taken for, in ms: its geometric middle. */
export const bucketLatency = (bucket: number): number => 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING)
