/** Noise is not a change: figures are rounded before they are compared and sent. */
export type Round = (value: number) => number

/** The largest 1, 2 or 5 times a power of ten that keeps the error within `fraction` of the value. */
function niceStep(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit))
  const lead = limit / power
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power
}

const relative =
  (fraction: number): Round =>
  (value) => {
    const limit = Math.abs(value) * fraction
    if (limit < 1) return Math.round(value)
    const step = niceStep(limit)
    return Math.round(value / step) * step
  }

const decimals = (digits: number): Round => {
  const scale = 10 ** digits
  return (value) => Math.round(value * scale) / scale
}

/** Bytes per second, to 1 %. */
export const roundRate = relative(0.01)
/** Totals in bytes, to 0.1 %. */
export const roundBytes = relative(0.001)
/** A fraction 0-1, to 0.1 %. */
export const roundFraction = decimals(3)
/** A load average or a duration. */
export const roundHundredth = decimals(2)
