import type { Bands } from './back-test-bands.ts'
import { byField, type Judged } from './played-thing.ts'
import { isSample } from './series.ts'
import type { SampleReads, Step } from './sample-reads.ts'
import { hourMs, startOf } from './tiers.ts'

/** What the largest figure of an hour tells about it. */
const heat = { unknown: 0, fine: 1, warm: 2, hot: 3 } as const

/** The hours of things, by position: in which the trigger was reached, and in which an alert may have stayed open. */
export class Heat {
  readonly #firstHour: number
  readonly #hours: number
  readonly #byThing = new Map<number, Uint8Array>()
  /** of counters: the last one, and its hour */
  readonly #counts = new Map<number, { count: number; hour: number }>()
  #reaches = Infinity

  constructor(from: number, to: number) {
    this.#firstHour = startOf(from, hourMs)
    this.#hours = Math.ceil((to - this.#firstHour) / hourMs)
  }

  /** epoch ms of the first sample */
  get reaches(): number | undefined {
    return this.#reaches === Infinity ? undefined : this.#reaches
  }

  note(thing: number, at: number, peak: number, { trigger, clear, judges }: Bands): void {
    const hour = Math.floor((at - this.#firstHour) / hourMs)
    if (judges === 'steps') return this.#noteStep(thing, at, hour, peak)
    if (hour < 0 || hour >= this.#hours) return
    let hours = this.#byThing.get(thing)
    if (!hours) this.#byThing.set(thing, (hours = new Uint8Array(this.#hours)))
    const found = judges === 'changes' || peak >= trigger ? heat.hot : peak >= clear ? heat.warm : heat.fine
    hours[hour] = Math.max(hours[hour]!, found)
    this.#reaches = Math.min(this.#reaches, at)
  }

  /** A step has the count that it began with in the last hour with a sample, which may be long ago. */
  #noteStep(thing: number, at: number, hour: number, count: number): void {
    const before = this.#counts.get(thing)
    this.#counts.set(thing, { count, hour })
    this.#reaches = Math.min(this.#reaches, at)
    if (before === undefined || before.count === count) return
    let hours = this.#byThing.get(thing)
    if (!hours) this.#byThing.set(thing, (hours = new Uint8Array(this.#hours)))
    for (const one of [before.hour, hour - 1, hour]) if (one >= 0) hours[one] = heat.hot
  }

  isHot(thing: number, hour: number): boolean {
    return this.#byThing.get(thing)?.[(hour - this.#firstHour) / hourMs] === heat.hot
  }

  /** Hours that have to be played, about: the hot ones, and those after them in which the alert may be open. */
  *costs(): Generator<readonly [thing: number, hours: number]> {
    for (const [thing, hours] of this.#byThing) {
      let [cost, mayBeOpen] = [0, false]
      for (const hour of hours) {
        if (hour !== heat.unknown) mayBeOpen = hour === heat.hot || (mayBeOpen && hour === heat.warm)
        if (mayBeOpen) cost++
      }
      if (cost > 0) yield [thing, cost]
    }
  }
}

/** Reads the largest samples of all things, in steps. */
export function* readHeat(
  { from, to }: { from: number; to: number },
  store: Pick<SampleReads, 'peaks'>,
  judged: ReadonlyMap<number, Judged>,
): Generator<Step, Heat> {
  const found = new Heat(from, to)
  for (const [field, { positions, numbers }] of byField(judged.keys(), judged)) {
    const positionOf = new Map(numbers.map((number, n) => [number, positions[n]!]))
    yield* store.peaks(field, numbers, from, to, (number, start, lengthMs, peaks) => {
      const position = positionOf.get(number)!
      const { bands, valueOf } = judged.get(position)!
      for (let n = 0; n < peaks.length; n++) {
        const peak = peaks[n]!
        const at = start + n * lengthMs
        if (isSample(peak) && at + lengthMs > from)
          found.note(position, Math.max(from, at), valueOf(peak), bands)
      }
    })
  }
  return found
}
