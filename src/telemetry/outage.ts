// Telling that something does not work once an outage, however many calls meet it, and once that it does again.

interface OutageWords {
  /** Told the first failure. */
  begins: (error: unknown) => void
  /** Told the first success after it. */
  ends?: () => void
}

/** Everybody who uses the thing says how that went. */
export interface Outage {
  isOut: () => boolean
  fails: (error: unknown) => void
  works: () => void
}

export function createOutage({ begins, ends }: OutageWords): Outage {
  let isOut = false
  return {
    isOut: () => isOut,
    fails(error) {
      if (!isOut) begins(error)
      isOut = true
    },
    works() {
      if (isOut) ends?.()
      isOut = false
    },
  }
}
