import { trendPoints } from '@pulse/contract'
import { groupOf } from './history-source.ts'
import type { Precision } from './precision.ts'
import { isSample } from './series.ts'
import { seriesPerTile, visitMeans } from './tile.ts'
import { minuteMs, startOf } from './tiers.ts'

const highestLevel = trendPoints.levels.length - 1
/** The level of a minute without a sample. */
export const noLevel = 255

/** Lines drawn from the same number of minutes. */
export interface Levels {
  /** thing after thing, a level for each minute */
  levels: Uint8Array
  /** of each thing, the value of the highest level */
  tops: Float64Array
}

interface MinuteMeansOptions {
  things: readonly number[]
  /** start of the first minute */
  from: number
  minutes: number
  precision: Precision
}

/** Collects the mean of each minute, for all things of a kind at once and without an object per minute. */
export class MinuteMeans {
  readonly from: number
  readonly to: number
  readonly #minutes: number
  readonly #precision: Precision
  readonly #rows: ReadonlyMap<number, number>
  readonly #sums: Float64Array
  readonly #counts: Uint32Array

  constructor({ things, from, minutes, precision }: MinuteMeansOptions) {
    this.from = from
    this.to = from + minutes * minuteMs
    this.#minutes = minutes
    this.#precision = precision
    this.#rows = new Map(things.map((thing, row) => [thing, row]))
    this.#sums = new Float64Array(things.length * minutes)
    this.#counts = new Uint32Array(things.length * minutes)
  }

  /** Those tiles that hold one of the things. */
  groups(): ReadonlySet<number> {
    return new Set([...this.#rows.keys()].map(groupOf))
  }

  /** Adds the samples of a thing within one minute. */
  addSamples(thing: number, at: number, samples: ArrayLike<number>): void {
    const cell = this.#cell(thing, at)
    if (cell === undefined) return
    const { fromStored } = this.#precision
    let count = 0
    let sum = 0
    for (let n = 0; n < samples.length; n++) {
      if (!isSample(samples[n]!)) continue
      count++
      sum += fromStored(samples[n]!)
    }
    this.#add(cell, count, sum)
  }

  /** Adds the minutes of a tile that begins at `start`. */
  addTile(group: number, start: number, bytes: Uint8Array): void {
    const { fromStored } = this.#precision
    const first = (start - this.from) / minuteMs
    visitMeans(bytes, (slot, counts, means) => {
      const row = this.#rows.get(group * seriesPerTile + slot)
      if (row === undefined) return
      let full = 0
      for (let n = 0; n < counts.length; n++) {
        const count = counts[n]!
        if (!isSample(count)) continue
        const mean = means[full++]!
        const minute = first + n
        if (minute < 0 || minute >= this.#minutes) continue
        this.#add(row * this.#minutes + minute, count, count * fromStored(mean))
      }
    })
  }

  /** `leastTop`: the value of the highest level for things that stay below it. */
  toLevels(leastTop: number): Levels {
    const tops = new Float64Array(this.#rows.size).fill(leastTop)
    const levels = new Uint8Array(this.#sums.length).fill(noLevel)
    for (let row = 0; row < tops.length; row++) {
      const cells = { from: row * this.#minutes, to: (row + 1) * this.#minutes }
      for (let cell = cells.from; cell < cells.to; cell++)
        if (this.#counts[cell]! > 0) tops[row] = Math.max(tops[row]!, this.#mean(cell))
      const perLevel = tops[row]! / highestLevel
      for (let cell = cells.from; cell < cells.to; cell++)
        if (this.#counts[cell]! > 0)
          levels[cell] = perLevel > 0 ? Math.max(0, Math.round(this.#mean(cell) / perLevel)) : 0
    }
    return { levels, tops }
  }

  #cell(thing: number, at: number): number | undefined {
    const row = this.#rows.get(thing)
    if (row === undefined || at < this.from || at >= this.to) return undefined
    return row * this.#minutes + (startOf(at, minuteMs) - this.from) / minuteMs
  }

  #add(cell: number, count: number, sum: number): void {
    this.#counts[cell]! += count
    this.#sums[cell]! += sum
  }

  #mean(cell: number): number {
    return this.#sums[cell]! / this.#counts[cell]!
  }
}
