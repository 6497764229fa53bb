// A text as it is looked through: each clause alone, since an order may stand beside anything, and with the next one, since it
// often names its reader in one and says what it wants in the other.

/** What ends a clause. A point or colon inside an address or a number ends nothing. */
const CLAUSE_END = /[.!?؟:;](?=[\s"'»”)\]]|$)|[。！？：；]|\n/gu
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** A part of a text, from `start` to before `end`. */
export interface Stretch {
  start: number
  end: number
}

/** Every clause, and every two that follow each other. */
export function stretchesOf(text: string): Stretch[] {
  const clauses = clausesOf(text)
  const pairs = clauses.slice(1).map(({ end }, index) => ({ start: clauses[index]?.start ?? 0, end }))
  return [...clauses, ...pairs]
}

function clausesOf(text: string): Stretch[] {
  const ends = Array.from(text.matchAll(CLAUSE_END), ({ index }) => index + 1)
  const clauses: Stretch[] = []
  let start = 0
  for (const end of [...ends, text.length]) {
    if (SAYS_SOMETHING.test(text.slice(start, end))) clauses.push({ start, end })
    start = end
  }
  return clauses
}
