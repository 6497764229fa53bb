// What names must be where keys and people are listed: terminals obey control characters, PostgreSQL refuses NUL, characters
// that turn the direction write what stands beside a name backwards, and of some names nothing is seen.
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** Whether a name would break out of its line in a list. */
export const holdsControls = (name: string): boolean => name.search(CONTROLS) !== -1

/** With a space in place of each run of them. */
export const withoutControls = (name: string): string => name.replace(CONTROLS, ' ')

/** Whether anything of the name is seen. */
export const isSeen = (name: string): boolean => /[^\s\p{Cf}]/u.test(name)
