// How a password is judged and hashed: argon2id, a few at a time.
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Each hash takes a thread of the pool that also serves DNS and files. */
const HASHES_AT_ONCE = 2

/** In characters. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

export function createPasswordHasher() {
  const limit = pLimit(HASHES_AT_ONCE)
  return {
    /** The argon2id hash in PHC form. Unicode spellings that look alike hash alike (NFKC). */
    hash: (password: string): Promise<string> => limit(() => hash(password.normalize('NFKC'), ARGON2)),

    /** Whether `password` is the one that was hashed. What lies beyond the longest allowed password is not read. */
    matches: (passwordHash: string, password: string): Promise<boolean> =>
      limit(() => verify(passwordHash, password.slice(0, 2 * PASSWORD_LENGTH.max).normalize('NFKC'))),
  }
}

/** 10 to 256 characters, at least five different ones, and not the account's own address (NIST SP 800-63B §3.1.1). */
export function isAcceptablePassword(password: string, email: string): boolean {
  const characters = Array.from(password)
  if (characters.length < PASSWORD_LENGTH.min || characters.length > PASSWORD_LENGTH.max) return false
  return new Set(characters).size >= 5 && password.toLowerCase() !== email
}
