/** Tolerated clock difference. */
const toleranceMs = 3_600_000

/** The date is in the future, so the real age is unknown. */
export const isDatedAhead = (at: number, now: number): boolean => at > now + toleranceMs
