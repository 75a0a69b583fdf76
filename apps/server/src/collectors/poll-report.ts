import type { Clock } from '@pulse/domain'
import type { BreakerReport } from '../timing/circuit-breaker.ts'
import type { SourceHealth } from './source-health.ts'

/** How the polling of one connection goes. Times are epoch ms. */
export interface PollReport {
  /** of each loop that waits: milliseconds until it wants to run */
  waitsMs: number[]
  /** the last answer to the main question */
  lastSuccess?: number
  /** of the main question; it stays after an answer */
  lastError?: { at: number; message: string; isLasting: boolean }
  /** of the main question, in a row */
  failures: number
  failingSince?: number
  /** the main question wants to be asked again; absent while it is asked */
  nextAt?: number
  /** 0: just answered; 1: the last answer does not count any more, or there was none */
  staleness: number
  /** absent before the first answer or failure */
  breaker?: BreakerReport
}

export interface Polling {
  waits(): { question: string; waitMs: number | undefined }[]
  /** of the host, or of the cluster's best address */
  breaker(): BreakerReport
}

interface PolledSource {
  clock: Pick<Clock, 'monotonic'>
  /** the time for deciding which data is stale */
  judged: () => number
  /** offset from monotonic time to epoch ms */
  wallOffset: () => number
  health: Pick<SourceHealth, 'mainPolls'>
}

export function reportPolling(
  { clock, judged, wallOffset, health }: PolledSource,
  { waits, breaker }: Polling,
): PollReport {
  const { question, listedAt, freshUntil, failures, failingSince, lastError } = health.mainPolls()
  const shown = (at: number) => Math.round(at + wallOffset())
  const all = waits()
  const nextMs = all.find((one) => one.question === question)?.waitMs
  const { since, changedAt, retryAt, ...own } = breaker()
  return {
    waitsMs: all.flatMap(({ waitMs }) => waitMs ?? []),
    failures,
    staleness: stalenessOf(listedAt, freshUntil, judged()),
    ...(listedAt !== undefined && { lastSuccess: shown(listedAt) }),
    ...(lastError && {
      lastError: {
        at: shown(lastError.at),
        message: lastError.error.message,
        isLasting: lastError.error.isLasting,
      },
    }),
    ...(failingSince !== undefined && { failingSince: shown(failingSince) }),
    ...(nextMs !== undefined && { nextAt: shown(clock.monotonic() + nextMs) }),
    ...((listedAt !== undefined || lastError) && {
      breaker: {
        ...own,
        since: shown(since),
        ...(changedAt !== undefined && { changedAt: shown(changedAt) }),
        ...(retryAt !== undefined && { retryAt: shown(retryAt) }),
      },
    }),
  }
}

function stalenessOf(listedAt: number | undefined, freshUntil: number, now: number): number {
  if (listedAt === undefined || freshUntil <= listedAt) return 1
  return Math.min(1, Math.max(0, (now - listedAt) / (freshUntil - listedAt)))
}
