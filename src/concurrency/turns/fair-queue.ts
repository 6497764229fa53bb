// A bounded queue in which callers take turns: one who sends a hundred requests waits behind himself, not before others.

/**
 * At most `capacity` members wait, each in the line of its key; lines are served in turn. While several keys wait, none
 * gets beyond half of the places; a key that had filled more by itself gives up its newest for a newcomer of another.
 */
export function createFairQueue<T>(capacity: number) {
  /** In the order of their turns. */
  const lines = new Map<string, T[]>()
  const share = Math.max(1, Math.floor(capacity / 2))

  const lengthOf = (key: string): number => lines.get(key)?.length ?? 0
  const size = (): number => [...lines.values()].reduce((sum, line) => sum + line.length, 0)

  function append(key: string, member: T): void {
    const line = lines.get(key)
    if (line === undefined) lines.set(key, [member])
    else line.push(member)
  }

  /** Takes the newest out of the longest line of another key that holds more than its share. */
  function displaceFor(key: string): T | undefined {
    const longest = [...lines]
      .filter(([other, line]) => other !== key && line.length > share)
      .toSorted(([, left], [, right]) => right.length - left.length)[0]
    return longest?.[1].pop()
  }

  return {
    size,

    /** How many are served before a newcomer with this key would be. */
    aheadOf(key: string): number {
      const own = lengthOf(key)
      return [...lines].reduce(
        (sum, [other, line]) => sum + (other === key ? own : Math.min(line.length, own + 1)),
        0,
      )
    },

    /** Lets a member wait; `displaced` is the one that lost its place to it. */
    enter(key: string, member: T): { entered: boolean; displaced?: T } {
      const isAlone = [...lines.keys()].every((other) => other === key)
      const waiting = size()
      if (!isAlone && lengthOf(key) >= share) return { entered: false }
      const displaced = waiting < capacity ? undefined : displaceFor(key)
      if (waiting >= capacity && displaced === undefined) return { entered: false }
      append(key, member)
      return displaced === undefined ? { entered: true } : { entered: true, displaced }
    },

    /** The first of the next line in turn, of those whose key `mayHave` allows; of any line when it allows none. */
    take(mayHave: (key: string) => boolean): T | undefined {
      const key = [...lines.keys()].find(mayHave) ?? lines.keys().next().value
      const line = key === undefined ? undefined : lines.get(key)
      if (key === undefined || line === undefined) return undefined
      const member = line.shift()
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      return member
    },

    /** Takes a member out that no longer waits for its turn. */
    leave(key: string, member: T): void {
      const line = lines.get(key)?.filter((other) => other !== member) ?? []
      if (line.length > 0) lines.set(key, line)
      else lines.delete(key)
    },
  }
}
