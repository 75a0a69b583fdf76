import type { Clock } from '@pulse/domain'
import type { Troubles } from '../troubles/troubles.ts'

/** A failed attempt that took this long is shown at once, a faster one after several consecutive failures. */
const slowMs = 10_000
const failuresUntilShown = 3

/** The health of one channel: for its card, and as a notice to all readers while it fails. */
export interface Health {
  /** epoch ms */
  lastDeliveredAt: number | undefined
  failingSince: number | undefined
  lastError: string | undefined
  /** since the start: delivered messages, failed attempts, messages that were given up */
  readonly counts: { delivered: number; failed: number; givenUp: number }
  delivered(): void
  /** `isFinal`: it is not retried. */
  failed(reason: string, tookMs: number, isFinal: boolean): void
  /** The channel was removed, or has other settings. */
  forget(): void
}

export function createHealth(id: string, name: () => string, troubles: Troubles, clock: Clock): Health {
  const trouble = `notify-${id}`
  let failures = 0
  let isShown = false

  /** Every reader sees the text: it names neither the channel nor the receiver's answer. */
  function end(text: string) {
    if (isShown) troubles.end(trouble, text)
    isShown = false
    failures = 0
    health.failingSince = undefined
    health.lastError = undefined
  }

  const health: Health = {
    lastDeliveredAt: undefined,
    failingSince: undefined,
    lastError: undefined,
    counts: { delivered: 0, failed: 0, givenUp: 0 },
    delivered() {
      health.counts.delivered++
      health.lastDeliveredAt = clock.now()
      end('A notification channel failed for a while. It works again.')
    },
    failed(reason, tookMs, isFinal) {
      failures += 1
      health.counts.failed++
      if (isFinal) health.counts.givenUp++
      health.failingSince ??= clock.now()
      health.lastError = reason
      if (isShown || !(isFinal || tookMs >= slowMs || failures >= failuresUntilShown)) return
      isShown = true
      troubles.begin(
        trouble,
        'A notification channel is failing. The delivery log shows administrators which one and why.',
        `${name()}: ${reason}`,
      )
    },
    forget: () => end('A failing notification channel was changed or removed.'),
  }
  return health
}
