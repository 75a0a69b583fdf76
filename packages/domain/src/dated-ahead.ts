/** By so much clocks may differ. */
const toleranceMs = 3_600_000

/** It says that it was made at a time that is still to come: when it was made nobody knows. */
export const isDatedAhead = (at: number, now: number): boolean => at > now + toleranceMs
