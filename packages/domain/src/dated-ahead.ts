/** Tolerated difference of clocks. */
const toleranceMs = 3_600_000

/** Its date is in the future, so its real age is unknown. */
export const isDatedAhead = (at: number, now: number): boolean => at > now + toleranceMs
