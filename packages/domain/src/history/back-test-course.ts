import { bandOf, type Bands, fineBand, firstBadBand, silentBand, stoppedBand } from './back-test-bands.ts'
import type { Judged } from './played-thing.ts'
import type { Sample } from './history-source.ts'
import { absent, isSample } from './series.ts'

interface CourseEdges {
  /** false: every sample is judged, which takes longer and changes nothing */
  skips: boolean
  /** Of one that is down. The engine checks it again and again, so its return is news. */
  downBand: number | undefined
  /** An alert stays while the thing is stopped. */
  holdsStopped: boolean
}

/** What is known about a thing between its samples. */
export class Course {
  readonly thing: Judged['thing']
  /** beyond the trigger, and not fired yet */
  isPending = false
  peak = -Infinity
  /** the last sample, if it was not judged */
  skipped: number | undefined
  /** of the open alert */
  episode: string | undefined
  readonly #judged: Judged
  readonly #edges: CourseEdges
  /** of the last sample that was judged */
  #band = fineBand
  #last: Sample | undefined

  constructor(judged: Judged, edges: CourseEdges) {
    this.thing = judged.thing
    this.#judged = judged
    this.#edges = edges
  }

  get threshold(): Judged['threshold'] {
    return this.#judged.threshold
  }

  get isOpen(): boolean {
    return this.episode !== undefined
  }

  /** Its alert also depends on earlier figures, so it has the last one while its source is silent. */
  get keepsFigures(): boolean {
    return this.#judges === 'changes' || this.#judges === 'steps'
  }

  /** The next sample matters, whatever it is. */
  get isActive(): boolean {
    return this.isOpen || this.isPending || this.#isDown || this.#judges === 'changes'
  }

  /**
   * A sample that cannot change the state of its alert is no news: that of a thing without an alert that is
   * below the trigger, and one in the same band as the one before while the alert is open.
   */
  isNews({ at, stored }: Sample): boolean {
    if (stored === absent.skipped) return false
    const band = this.#bandOf(stored)
    const { isOpen, isPending } = this
    if (band >= firstBadBand || (this.keepsFigures && isSample(stored))) {
      const value = this.#judged.valueOf(stored)
      this.peak = isOpen || isPending ? Math.max(this.peak, value) : value
    }
    if (!this.#edges.skips || this.#judges === 'all') return true
    if (this.keepsFigures) return !this.#last || !this.#judged.isSame(this.#last, { at, stored })
    if (isPending) return true
    if (!isOpen) return band >= firstBadBand || (this.#isDown && band !== this.#band)
    // A resource that is down ends its alerts after some checks.
    if (band !== this.#band || band === stoppedBand) return true
    this.skipped = stored
    return false
  }

  /** The sample is being judged. */
  take({ at, stored }: Sample): void {
    this.#band = this.#bandOf(stored)
    this.#last = { at, stored }
    this.skipped = undefined
    if (this.#band !== silentBand) this.isPending = this.#band >= firstBadBand && !this.isOpen
  }

  get #judges(): Bands['judges'] {
    return this.#judged.bands.judges
  }

  get #isDown(): boolean {
    return this.#band === this.#edges.downBand
  }

  #bandOf(stored: number): number {
    if (stored === absent.silent) return silentBand
    if (stored === absent.stopped) return this.#edges.holdsStopped ? silentBand : stoppedBand
    const { bands, valueOf } = this.#judged
    return bandOf(valueOf(stored), bands)
  }
}
