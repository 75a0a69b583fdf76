import { bandOf, fineBand, firstBadBand, silentBand, stoppedBand } from './back-test-bands.ts'
import type { Judged } from './played-thing.ts'
import { absent } from './series.ts'

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

  constructor(judged: Judged, edges: CourseEdges) {
    this.thing = judged.thing
    this.#judged = judged
    this.#edges = edges
  }

  get isOpen(): boolean {
    return this.episode !== undefined
  }

  /** The next sample matters, whatever it is. */
  get isActive(): boolean {
    return this.isOpen || this.isPending || this.#isDown
  }

  /**
   * A sample that cannot change the state of its alert is no news: that of a thing without an alert that is
   * below the trigger, and one in the same band as the one before while the alert is open.
   */
  isNews(stored: number): boolean {
    if (stored === absent.skipped) return false
    const band = this.#bandOf(stored)
    const { isOpen, isPending } = this
    if (band >= firstBadBand) {
      const value = this.#judged.valueOf(stored)
      this.peak = isOpen || isPending ? Math.max(this.peak, value) : value
    }
    if (!this.#edges.skips || this.#judged.bands.isMoving || isPending) return true
    if (!isOpen) return band >= firstBadBand || (this.#isDown && band !== this.#band)
    // A resource that is down ends its alerts after some checks.
    if (band !== this.#band || band === stoppedBand) return true
    this.skipped = stored
    return false
  }

  /** The sample is being judged. */
  take(stored: number): void {
    this.#band = this.#bandOf(stored)
    this.skipped = undefined
    if (this.#band !== silentBand) this.isPending = this.#band >= firstBadBand && !this.isOpen
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
