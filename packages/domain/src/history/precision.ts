import type { FigureUnit } from '@pulse/contract'

/**
 * How a figure is stored: as a whole number in steps of its precision. The order of values stays, so the
 * smallest, largest and last value of a bucket are as exact as a single sample.
 */
export interface Precision {
  toStored(value: number): number
  fromStored(stored: number): number
}

/** Steps of the same size, `perUnit` in one unit. */
const linear = (perUnit: number): Precision => ({
  // adding 0 turns -0 into 0
  toStored: (value) => Math.round(value * perUnit) + 0,
  fromStored: (stored) => stored / perUnit,
})

/** Steps of the same share of the value, for amounts from nothing to terabytes. They are read as whole numbers. */
const logarithmic = (perE: number): Precision => ({
  toStored: (value) => Math.round(Math.log1p(Math.max(0, value)) * perE),
  // the step of the largest number may be beyond it
  fromStored: (stored) => Math.min(Number.MAX_VALUE, Math.round(Math.expm1(stored / perE))),
})

/** Not coarser than what a page shows, and coarse enough that noise compresses. */
export const precisionOf: Readonly<Record<FigureUnit, Precision>> = {
  ratio: linear(1_000),
  percent: linear(100),
  // 0.025 % of the value
  bytes: logarithmic(4_000),
  // 0.5 % of the value
  'bytes/s': logarithmic(200),
  '°C': linear(10),
  cores: linear(1_000),
  seconds: linear(1),
  ms: linear(10),
  count: linear(1),
  state: linear(1),
}
