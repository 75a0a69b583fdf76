import type { Rounding } from '@pulse/contract'

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

export const roundings: Record<Rounding, Round> = {
  rate: relative(0.01),
  bytes: relative(0.001),
  fraction: decimals(3),
  hundredth: decimals(2),
}
