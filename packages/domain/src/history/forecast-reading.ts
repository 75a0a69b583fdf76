import type { Forecast } from '@pulse/contract'
import { forecast, forecastPeriodMs, forecastWindowMs, type UsagePoint } from './forecast.ts'
import { precisionOf } from './precision.ts'
import { isSample } from './series.ts'
import type { SampleReads, Step } from './sample-reads.ts'
import { startOf } from './tiers.ts'

export interface ForecastRequest {
  /** a field in percent */
  field: number
  things: readonly number[]
  now: number
  fullPercent: number
}

/** Fits per step: each takes some milliseconds. */
const fitsPerStep = 2
const periods = forecastWindowMs / forecastPeriodMs + 1
const { fromStored } = precisionOf.percent

/** The forecast of each thing, in the order of the request. In steps of one block of tiles or some fits. */
export function* readForecasts(
  store: Pick<SampleReads, 'peaks'>,
  { field, things, now, fullPercent }: ForecastRequest,
): Generator<Step, Forecast[]> {
  const from = startOf(now - forecastWindowMs, forecastPeriodMs)
  const means = new PeriodMeans(things, from)
  yield* store.peaks(field, things, from, now, (thing, start, lengthMs, peaks) =>
    means.add(thing, start, lengthMs, peaks),
  )
  const found: Forecast[] = []
  for (const row of things.keys()) {
    if (row % fitsPerStep === fitsPerStep - 1) yield
    found.push(forecast(means.points(row), { now, fullPercent }))
  }
  return found
}

/** The mean of the largest samples of each thing in each period. A block has a part of the periods, so sums are kept. */
class PeriodMeans {
  readonly #from: number
  readonly #rows: ReadonlyMap<number, number>
  readonly #weights: Float64Array
  readonly #values: Float64Array
  readonly #times: Float64Array

  constructor(things: readonly number[], from: number) {
    this.#from = from
    this.#rows = new Map(things.map((thing, row) => [thing, row]))
    this.#weights = new Float64Array(things.length * periods)
    this.#values = new Float64Array(things.length * periods)
    this.#times = new Float64Array(things.length * periods)
  }

  add(thing: number, start: number, lengthMs: number, peaks: ArrayLike<number>): void {
    const row = this.#rows.get(thing)!
    for (let n = 0; n < peaks.length; n++) {
      const stored = peaks[n]!
      const offset = start + n * lengthMs - this.#from
      const period = Math.floor(offset / forecastPeriodMs)
      if (!isSample(stored) || period < 0 || period >= periods) continue
      const cell = row * periods + period
      this.#weights[cell]! += lengthMs
      this.#values[cell]! += lengthMs * fromStored(stored)
      this.#times[cell]! += lengthMs * (offset + lengthMs / 2)
    }
  }

  points(row: number): UsagePoint[] {
    const points: UsagePoint[] = []
    for (let cell = row * periods; cell < (row + 1) * periods; cell++) {
      const weight = this.#weights[cell]!
      if (weight > 0)
        points.push({
          at: this.#from + this.#times[cell]! / weight,
          percent: this.#values[cell]! / weight,
        })
    }
    return points
  }
}
