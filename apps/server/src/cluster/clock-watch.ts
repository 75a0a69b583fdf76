import { type Clock, durationText } from '@pulse/domain'
import { createTicker } from '../timing/ticker.ts'
import type { Troubles } from '../troubles/troubles.ts'

const lookMs = 5_000
/** A smaller difference does no harm that anyone would notice. */
const noticeableMs = 60_000
/** One that has been shown is over when it is smaller: a clock that drifts is near the limit for hours. */
const overMs = 50_000
const trouble = 'clock'

interface ClockWatchEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** ms by which the wall clock of this process is ahead of that of the database; undefined: not known */
  aheadMs: () => number | undefined
  troubles: Pick<Troubles, 'begin' | 'end'>
  onFault: (error: unknown) => void
}

/**
 * Shows that the clock of this machine is wrong, or that of the database. Times that processes store differ then, and a store of
 * samples drops those of the far future without a word.
 */
export function watchClock({ clock, aheadMs, troubles, onFault }: ClockWatchEdges): { stop(): void } {
  /** 0: nothing is shown */
  let shownMs = 0
  return createTicker({
    clock,
    intervalMs: lookMs,
    run() {
      const now = aheadMs() ?? 0
      const ms = Math.abs(now) < (shownMs === 0 ? noticeableMs : overMs) ? 0 : now
      if (ms === 0 && shownMs !== 0)
        troubles.end(
          trouble,
          'The clock of this process differed from that of the database for a while. It is right again.',
        )
      const isOther = Math.abs(ms - shownMs) >= noticeableMs
      if (ms !== 0 && isOther) troubles.begin(trouble, sentence(ms))
      if (ms === 0 || isOther) shownMs = ms
    },
    onError: onFault,
  })
}

function sentence(aheadMs: number): string {
  const difference = `${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  return `The clock of this process is ${difference} that of the database. Set both by NTP: times are wrong meanwhile, and samples may be lost.`
}
