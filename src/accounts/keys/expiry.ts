// The day on which a key stops working, as people write it.

/** The last millisecond (UTC) of a day such as "2027-01-31"; null for what no calendar has, such as 31 February. */
export function endOfDay(day: string): Date | null {
  const end = new Date(/^\d{4}-\d{2}-\d{2}$/u.test(day) ? `${day}T23:59:59.999Z` : Number.NaN)
  return !Number.isNaN(end.getTime()) && end.toISOString().startsWith(day) ? end : null
}
